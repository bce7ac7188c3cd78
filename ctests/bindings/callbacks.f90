! Fortran's procedures called by MPI: operations, error handlers, generalised requests.
module procedures
  use mpi
  implicit none
  integer :: pair, unlike = 0, seen_comm = -1, seen_code = -1
  integer :: queried = 0, freed = 0, cancelled = 0
  integer(kind=MPI_ADDRESS_KIND) :: seen_state = -1
contains
  ! (a, b) after (c, d) is (a * c, a * d + b): not commutative.
  subroutine compose(invec, inoutvec, length, datatype)
    integer :: length, datatype, i
    double precision :: invec(2, length), inoutvec(2, length), a, b
    if (datatype /= pair) unlike = unlike + 1
    do i = 1, length
      a = invec(1, i) * inoutvec(1, i)
      b = invec(1, i) * inoutvec(2, i) + invec(2, i)
      inoutvec(:, i) = [a, b]
    end do
  end subroutine compose

  subroutine handler(comm, code)
    integer :: comm, code, class, ierr
    seen_comm = comm
    call MPI_Error_class(code, class, ierr)
    seen_code = class
  end subroutine handler

  subroutine query(state, status, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: state
    integer :: status(MPI_STATUS_SIZE), ierr
    queried = queried + 1
    seen_state = state
    call MPI_Status_set_elements(status, MPI_INTEGER, 5, ierr)
    call MPI_Status_set_cancelled(status, cancelled > 0, ierr)
    status(MPI_SOURCE) = 3
    status(MPI_TAG) = 17
    ierr = MPI_SUCCESS
  end subroutine query

  subroutine release(state, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: state
    integer :: ierr
    freed = freed + 1
    seen_state = state
    ierr = MPI_SUCCESS
  end subroutine release

  subroutine cancel(state, complete, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierr
    if (.not. complete) cancelled = cancelled + 1
    seen_state = state
    ierr = MPI_SUCCESS
  end subroutine cancel
end module procedures

program callbacks
  use procedures
  implicit none
  integer :: ierr, rank, size, op, errhandler, old, comm, request, count, i, round
  integer :: status(MPI_STATUS_SIZE)
  integer(kind=MPI_ADDRESS_KIND) :: state
  double precision :: mine(2, 3), result(2, 3), expected(2)
  logical :: flag

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)

  call MPI_Type_contiguous(2, MPI_DOUBLE_PRECISION, pair, ierr)
  call MPI_Type_commit(pair, ierr)
  do round = 1, 3
    call MPI_Op_create(compose, .false., op, ierr)
    call MPI_Op_commutative(op, flag, ierr)
    call say('not commutative', .not. flag)
    do i = 1, 3
      mine(:, i) = [2.0d0, dble(rank + i)]
    end do
    call MPI_Allreduce(mine, result, 3, pair, op, MPI_COMM_WORLD, ierr)
    do i = 1, 3
      expected = reduced(i)
      call say('operation', all(result(:, i) == expected))
    end do
    call say('type of the operation', unlike == 0)
    call MPI_Op_free(op, ierr)
    call say('freed operation', op == MPI_OP_NULL)
  end do

  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_create_errhandler(handler, errhandler, ierr)
  call MPI_Comm_set_errhandler(comm, errhandler, ierr)
  call MPI_Comm_get_errhandler(comm, old, ierr)
  call say('same handler', old == errhandler)
  call MPI_Errhandler_free(old, ierr)
  call MPI_Errhandler_free(errhandler, ierr)
  call say('freed handler', errhandler == MPI_ERRHANDLER_NULL)
  call MPI_Send(mine, 1, pair, size + 5, 0, comm, ierr)
  call say('handler was called', seen_comm == comm .and. seen_code == MPI_ERR_RANK .and. ierr /= MPI_SUCCESS)
  seen_code = -1
  call MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER, ierr)
  call say('handler was called by hand', seen_code == MPI_ERR_OTHER)
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr)
  seen_code = -1
  call MPI_Send(mine, 1, pair, size + 5, 0, comm, ierr)
  call say('handler was not called', seen_code == -1 .and. ierr /= MPI_SUCCESS)
  call MPI_Comm_free(comm, ierr)
  call MPI_Type_free(pair, ierr)

  ! The state is the caller's variable in both families: it must live as long as the request.
  state = 123456789012_MPI_ADDRESS_KIND
  call MPI_Grequest_start(query, release, cancel, state, request, ierr)
  call MPI_Test(request, flag, status, ierr)
  call say('request is under way', .not. flag)
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call say('status of the request', count == 5 .and. status(MPI_SOURCE) == 3 .and. status(MPI_TAG) == 17)
  call say('request is gone', request == MPI_REQUEST_NULL .and. queried > 0 .and. freed == 1)
  call say('state of the request', seen_state == state)
  call MPI_Grequest_start(query, release, cancel, state, request, ierr)
  call MPI_Cancel(request, ierr)
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call say('cancelled request', flag .and. cancelled == 1 .and. freed == 2)
  call MPI_Finalize(ierr)

contains

  function reduced(i)
    integer, intent(in) :: i
    integer :: r
    double precision :: reduced(2)
    reduced = [2.0d0, dble(size - 1 + i)]
    do r = size - 2, 0, -1
      reduced = [2 * reduced(1), 2 * reduced(2) + r + i]
    end do
  end function reduced

  subroutine say(what, right)
    character(len=*), intent(in) :: what
    logical, intent(in) :: right
    if (right) then
      write (*, '(a, i0, 2a)') 'ok ', rank, ' ', what
    else
      write (*, '(a, i0, 2a)') 'WRONG ', rank, ' ', what
    end if
  end subroutine say
end program callbacks
