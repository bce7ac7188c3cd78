C     Fortran 77 with mpif.h: what programs of the nineties do.
      program oldest
      implicit none
      include 'mpif.h'
      integer ierr, rank, size, next, prev, i, got
      integer status(MPI_STATUS_SIZE)
      integer place, space(64), extent, kind, lengths(2), kinds(2)
      integer places(2)
      double precision part, whole, x
      character*(MPI_MAX_PROCESSOR_NAME) host
      integer both
      common /pair/ x, both
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      call MPI_GET_PROCESSOR_NAME(host, got, ierr)
      if (got .le. 0) call wrong(rank, 'processor name')
      next = mod(rank + 1, size)
      prev = mod(rank + size - 1, size)
C     Pi, as everybody has computed it.
      part = 0
      do 10 i = rank + 1, 1000, size
         x = (i - 0.5d0) / 1000
         part = part + 4 / (1 + x * x) / 1000
 10   continue
      call MPI_REDUCE(part, whole, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0,
     &                MPI_COMM_WORLD, ierr)
      if (rank .eq. 0 .and. abs(whole - 3.14159273d0) .gt. 1d-7)
     &   call wrong(rank, 'pi')
C     Packed data, to the next rank and back.
      place = 0
      call MPI_PACK(rank, 1, MPI_INTEGER, space, 256, place,
     &              MPI_COMM_WORLD, ierr)
      x = rank * 1.5d0
      call MPI_PACK(x, 1, MPI_DOUBLE_PRECISION, space, 256, place,
     &              MPI_COMM_WORLD, ierr)
      call MPI_SENDRECV_REPLACE(space, place, MPI_PACKED, next, 4,
     &              prev, 4, MPI_COMM_WORLD, status, ierr)
      place = 0
      call MPI_UNPACK(space, 256, place, got, 1, MPI_INTEGER,
     &                MPI_COMM_WORLD, ierr)
      call MPI_UNPACK(space, 256, place, x, 1, MPI_DOUBLE_PRECISION,
     &                MPI_COMM_WORLD, ierr)
      if (got .ne. prev .or. x .ne. prev * 1.5d0)
     &   call wrong(rank, 'packed')
      if (status(MPI_SOURCE) .ne. prev .or. status(MPI_TAG) .ne. 4)
     &   call wrong(rank, 'status')
C     The calls that MPI-3 removed, where a family still has them.
      call MPI_TYPE_EXTENT(MPI_DOUBLE_PRECISION, extent, ierr)
      if (extent .ne. 8) call wrong(rank, 'extent')
      lengths(1) = 1
      lengths(2) = 1
      kinds(1) = MPI_DOUBLE_PRECISION
      kinds(2) = MPI_INTEGER
      places(1) = 0
      places(2) = 8
      call MPI_TYPE_STRUCT(2, lengths, places, kinds, kind, ierr)
      call MPI_TYPE_COMMIT(kind, ierr)
      x = rank
      both = -rank
      call MPI_BCAST(x, 1, kind, size - 1, MPI_COMM_WORLD, ierr)
      if (x .ne. size - 1 .or. both .ne. 1 - size)
     &   call wrong(rank, 'structure')
      call MPI_TYPE_FREE(kind, ierr)
      call MPI_SEND(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 0,
     &              MPI_COMM_WORLD, ierr)
      write (*, '(a, i0, a)') 'ok ', rank, ' oldest'
      call MPI_FINALIZE(ierr)
      end

      subroutine wrong(rank, what)
      integer rank
      character*(*) what
      write (*, '(a, i0, 2a)') 'WRONG ', rank, ' ', what
      end
