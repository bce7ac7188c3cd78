! The module mpi_f08: handles as types, optional error codes, procedures with types as arguments.
module maximum
  use mpi_f08
  use iso_c_binding
  implicit none
  integer :: unlike = 0, seen = -1
contains
  subroutine largest(invec, inoutvec, length, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: from(:), to(:)
    call c_f_pointer(invec, from, [length])
    call c_f_pointer(inoutvec, to, [length])
    if (datatype /= MPI_INTEGER) unlike = unlike + 1
    to = max(from, to)
  end subroutine largest

  subroutine handler(comm, code)
    type(MPI_Comm) :: comm
    integer :: code, class
    call MPI_Error_class(code, class)
    seen = class
  end subroutine handler
end module maximum

program modern
  use maximum
  implicit none
  integer, parameter :: n = 4
  integer :: rank, size, left, right, i, count, ierr, length
  integer, asynchronous :: numbers(n), other(n)
  integer :: square(n, n), row(n)
  type(MPI_Status) :: status
  type(MPI_Request) :: requests(2)
  type(MPI_Comm) :: comm
  type(MPI_Op) :: op
  type(MPI_Datatype) :: vector
  type(MPI_Errhandler) :: errhandler
  character(len=MPI_MAX_OBJECT_NAME) :: name
  logical :: flag

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  left = mod(rank + size - 1, size)
  right = mod(rank + 1, size)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call say('handles', comm /= MPI_COMM_WORLD .and. comm /= MPI_COMM_NULL)
  call MPI_Comm_set_name(comm, 'a copy')
  call MPI_Comm_get_name(comm, name, length)
  call say('name', name == 'a copy' .and. length == 6)

  numbers = [(rank * 10 + i, i = 1, n)]
  call MPI_Irecv(other, n, MPI_INTEGER, left, 3, comm, requests(1))
  call MPI_Isend(numbers, n, MPI_INTEGER, right, 3, comm, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call MPI_F_sync_reg(other)
  call say('content', all(other == [(left * 10 + i, i = 1, n)]) .and. requests(1) == MPI_REQUEST_NULL)
  call MPI_Sendrecv(numbers, 2, MPI_INTEGER, right, 5, other, n, MPI_INTEGER, left, 5, comm, status)
  call MPI_Get_count(status, MPI_INTEGER, count)
  call say('status', status%MPI_SOURCE == left .and. status%MPI_TAG == 5 .and. count == 2)

  ! A row of a matrix: as a datatype, and its copy.
  square = reshape([(i + rank, i = 1, n * n)], [n, n])
  call MPI_Type_vector(n, 1, n, MPI_INTEGER, vector)
  call MPI_Type_commit(vector)
  call MPI_Sendrecv(square(2, 1), 1, vector, right, 6, row, n, MPI_INTEGER, left, 6, comm, MPI_STATUS_IGNORE)
  call say('row', all(row == [(2 + n * (i - 1) + left, i = 1, n)]))
  call MPI_Type_free(vector)

  call MPI_Op_create(largest, .true., op)
  numbers(1) = rank
  call MPI_Allreduce(numbers(1:1), other(1:1), 1, MPI_INTEGER, op, comm)
  call say('operation', other(1) == size - 1 .and. unlike == 0)
  call MPI_Op_free(op)
  other(1) = 1
  call MPI_Allreduce(MPI_IN_PLACE, other, 1, MPI_INTEGER, MPI_SUM, comm)
  call say('in place', other(1) == size)

  call MPI_Comm_create_errhandler(handler, errhandler)
  call MPI_Comm_set_errhandler(comm, errhandler)
  call MPI_Errhandler_free(errhandler)
  call MPI_Send(numbers, 1, MPI_INTEGER, size + 9, 0, comm, ierr)
  call say('handler', seen == MPI_ERR_RANK .and. ierr /= MPI_SUCCESS)
  call MPI_Iprobe(MPI_ANY_SOURCE, 77, comm, flag, status)
  call say('nothing to probe', .not. flag)
  call MPI_Comm_free(comm)
  call say('freed communicator', comm == MPI_COMM_NULL)
  call MPI_Finalize()

contains

  subroutine say(what, right)
    character(len=*), intent(in) :: what
    logical, intent(in) :: right
    if (right) then
      write (*, '(a, i0, 2a)') 'ok ', rank, ' ', what
    else
      write (*, '(a, i0, 2a)') 'WRONG ', rank, ' ', what
    end if
  end subroutine say
end program modern
