! Messages from Fortran: statuses, special addresses, character arguments, derived types, requests.
module buffers
  ! Here, where the compiler must expect that any call changes them.
  implicit none
  integer, parameter :: n = 6
  double precision :: matrix(n, n), got(n), value, total
  integer :: numbers(n), other(n), index
end module buffers

program messages
  use mpi
  use buffers
  implicit none
  integer :: ierr, rank, size, left, right, i, found, flag_count, at
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 4), requests(4), indices(4)
  integer :: column, pair, lengths(2), types(2), count
  integer(kind=MPI_ADDRESS_KIND) :: places(2), lower, extent
  logical :: flag
  character(len=MPI_MAX_PROCESSOR_NAME) :: host
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=MPI_MAX_ERROR_STRING) :: text
  character(len=12) :: word

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  left = mod(rank + size - 1, size)
  right = mod(rank + 1, size)

  ! Strings come back padded with blanks and are sent without them.
  call MPI_Get_processor_name(host, count, ierr)
  call say('processor name', len_trim(host) == count .and. count > 0)
  call MPI_Comm_set_name(MPI_COMM_WORLD, 'everyone  ', ierr)
  name = repeat('x', MPI_MAX_OBJECT_NAME)
  call MPI_Comm_get_name(MPI_COMM_WORLD, name, count, ierr)
  call say('communicator name', name == 'everyone' .and. count == 8)
  call MPI_Error_string(MPI_ERR_TAG, text, count, ierr)
  call say('error string', len_trim(text) > 0 .and. ierr == MPI_SUCCESS)

  ! A status of Fortran's own, and none.
  numbers = rank * 100 + [(i, i = 1, n)]
  call MPI_Isend(numbers, n, MPI_INTEGER, right, 7, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Recv(other, n, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call say('status', status(MPI_SOURCE) == left .and. status(MPI_TAG) == 7 .and. count == n)
  call say('content', all(other == left * 100 + [(i, i = 1, n)]))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
  call say('null request', requests(1) == MPI_REQUEST_NULL)

  ! Characters are data too.
  word = 'from'
  if (rank == 0) word = 'rank zero'
  call MPI_Bcast(word, len(word), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
  call say('characters', word == 'rank zero')

  ! A row of a matrix, and two variables from MPI_BOTTOM.
  matrix = reshape([(dble(i), i = 1, n * n)], [n, n]) + rank
  call MPI_Type_vector(n, 1, n, MPI_DOUBLE_PRECISION, column, ierr)
  call MPI_Type_commit(column, ierr)
  call MPI_Type_get_extent(column, lower, extent, ierr)
  call say('extent', lower == 0 .and. extent == 8 * (n * (n - 1) + 1))
  call MPI_Sendrecv(matrix(2, 1), 1, column, right, 1, got, n, MPI_DOUBLE_PRECISION, left, 1, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call say('row', all(got == [(dble(2 + n * (i - 1)) + left, i = 1, n)]))
  call MPI_Type_free(column, ierr)
  call say('freed type', column == MPI_DATATYPE_NULL)
  call MPI_Get_address(index, places(1), ierr)
  call MPI_Get_address(value, places(2), ierr)
  lengths = 1
  types = [MPI_INTEGER, MPI_DOUBLE_PRECISION]
  call MPI_Type_create_struct(2, lengths, places, types, pair, ierr)
  call MPI_Type_commit(pair, ierr)
  index = -1
  value = -1
  if (rank == 0) index = 42
  if (rank == 0) value = 2.5d0
  call MPI_Bcast(MPI_BOTTOM, 1, pair, 0, MPI_COMM_WORLD, ierr)
  call say('bottom', index == 42 .and. value == 2.5d0)
  call MPI_Type_free(pair, ierr)

  ! MPI_IN_PLACE, and MPI_Alltoallw, for which the binding asks the communicator for its size.
  total = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call say('in place', total == size * (size + 1) / 2)
  call exchange(MPI_COMM_WORLD)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, at, ierr)
  call exchange(at)
  call MPI_Comm_free(at, ierr)
  call say('freed communicator', at == MPI_COMM_NULL)

  ! Persistent requests keep their number; several are completed at once.
  call MPI_Recv_init(other(1), 1, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Recv_init(other(2), 1, MPI_INTEGER, left, 12, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Send_init(numbers(1), 1, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(3), ierr)
  call MPI_Send_init(numbers(2), 1, MPI_INTEGER, right, 12, MPI_COMM_WORLD, requests(4), ierr)
  do i = 1, 3
    other = -1
    numbers(1:2) = rank * 10 + i
    call MPI_Startall(4, requests, ierr)
    select case (i)
    case (1)
      call MPI_Waitall(4, requests, statuses, ierr)
      call say('tags', statuses(MPI_TAG, 1) == 11 .and. statuses(MPI_TAG, 2) == 12)
    case (2)
      call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
    case (3)
      found = 0
      do while (found < 4)
        call MPI_Testsome(4, requests, flag_count, indices, statuses, ierr)
        if (flag_count > 0) found = found + flag_count
      end do
    end select
    call say('persistent', all(other(1:2) == left * 10 + i) .and. all(requests /= MPI_REQUEST_NULL))
  end do
  do i = 1, 4
    call MPI_Request_free(requests(i), ierr)
  end do
  call say('freed requests', all(requests == MPI_REQUEST_NULL))

  ! Probing, and completing one of several; Fortran counts them from 1.
  call MPI_Isend(numbers, 3, MPI_INTEGER, right, 21, MPI_COMM_WORLD, requests(2), ierr)
  requests(1) = MPI_REQUEST_NULL
  call MPI_Probe(left, 21, MPI_COMM_WORLD, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call say('probe', count == 3)
  call MPI_Recv(other, 3, MPI_INTEGER, left, 21, MPI_COMM_WORLD, status, ierr)
  call MPI_Waitany(2, requests, index, status, ierr)
  call say('any', index == 2 .and. requests(2) == MPI_REQUEST_NULL)
  call MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, flag, status, ierr)
  call say('nothing to probe', .not. flag)
  call MPI_Irecv(other, 3, MPI_INTEGER, left, 31, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Cancel(requests(1), ierr)
  call MPI_Wait(requests(1), status, ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call say('cancelled', flag)
  call say('clock', MPI_Wtime() >= 0 .and. MPI_Wtick() > 0)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)

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

  subroutine exchange(comm)
    integer, intent(in) :: comm
    integer :: me, all_of_us, j
    integer, allocatable :: give(:), take(:), one(:), offsets(:), kinds(:)
    call MPI_Comm_rank(comm, me, ierr)
    call MPI_Comm_size(comm, all_of_us, ierr)
    allocate (give(all_of_us), take(all_of_us), one(all_of_us), offsets(all_of_us), kinds(all_of_us))
    give = [(me * 100 + j, j = 0, all_of_us - 1)]
    take = -1
    one = 1
    offsets = [(4 * j, j = 0, all_of_us - 1)]
    kinds = MPI_INTEGER
    call MPI_Alltoallw(give, one, offsets, kinds, take, one, offsets, kinds, comm, ierr)
    call say('all to all', all(take == [(j * 100 + me, j = 0, all_of_us - 1)]))
  end subroutine exchange
end program messages
