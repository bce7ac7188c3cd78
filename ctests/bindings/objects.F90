! Handles that MPI gives to Fortran: every kind, from every call that makes one, and used afterwards.
!
! One source for the three ways to use MPI from Fortran: mpif.h (-DOLD), the module mpi, the module mpi_f08 (-DMODERN).
#ifdef MODERN
#define HANDLE(kind) type(kind)
#define STATUS_TYPE type(MPI_Status)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define SOURCE(status) status%MPI_SOURCE
#define TAG(status) status%MPI_TAG
#define SOURCE_OF(statuses, i) statuses(i)%MPI_SOURCE
#define TAG_OF(statuses, i) statuses(i)%MPI_TAG
#else
#define HANDLE(kind) integer
#define STATUS_TYPE integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define SOURCE(status) status(MPI_SOURCE)
#define TAG(status) status(MPI_TAG)
#define SOURCE_OF(statuses, i) statuses(MPI_SOURCE, i)
#define TAG_OF(statuses, i) statuses(MPI_TAG, i)
#endif
module ranks
  implicit none
  integer :: rank, size
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

  ! Numbers of which the families make their own are compared with what the real library gives.
  function text(number)
    integer, intent(in) :: number
    character(len=6) :: text
    write (text, '(i0)') number
  end function text
end module ranks

program objects
#ifdef MODERN
  use mpi_f08
#elif !defined(OLD)
  use mpi
#endif
  use ranks
  implicit none
#ifdef OLD
  include 'mpif.h'
#endif
  integer :: ierr
  ! Variables whose address is taken may be written by MPI after the call that named them.
  integer(kind=MPI_ADDRESS_KIND) :: at
  HANDLE(MPI_Group) :: world_group

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, world_group, ierr)
  call groups
  call many_groups
  call communicators
  if (size > 1) call intercommunicators
  call completions
  call no_requests
  call messages
  call hints
  call types
  call handlers
  call MPI_Group_free(world_group, ierr)
  call say('freed group', world_group == MPI_GROUP_NULL)
  call MPI_Finalize(ierr)

contains

  ! A group that should have these ranks of MPI_COMM_WORLD, in this order; it is freed.
  subroutine has(what, group, members)
    character(len=*), intent(in) :: what
    HANDLE(MPI_Group) :: group
    integer, intent(in) :: members(:)
    integer :: i, length, mine, place, all(max(1, ubound(members, 1))), world(max(1, ubound(members, 1)))
    HANDLE(MPI_Group) :: again
    logical :: good
    good = ierr == MPI_SUCCESS .and. group /= MPI_GROUP_NULL
    if (.not. good) then
      call say(what, .false.)
      return
    end if
    call MPI_Group_size(group, length, ierr)
    good = length == ubound(members, 1)
    place = MPI_UNDEFINED
    do i = 1, ubound(members, 1)
      all(i) = i - 1
      if (members(i) == rank) place = i - 1
    end do
    call MPI_Group_rank(group, mine, ierr)
    good = good .and. mine == place
    if (good .and. length > 0) then
      call MPI_Group_translate_ranks(group, length, all, world_group, world, ierr)
      good = good .and. sum(abs(world(1:length) - members)) == 0
      ! What came out goes in again.
      call MPI_Group_incl(group, length, all, again, ierr)
      call MPI_Group_compare(group, again, i, ierr)
      good = good .and. i == MPI_IDENT
      call MPI_Group_free(again, ierr)
    end if
    call say(what, good)
    if (group /= MPI_GROUP_EMPTY) then
      call MPI_Group_free(group, ierr)
      call say('freed', group == MPI_GROUP_NULL)
    end if
  end subroutine has

  subroutine groups
    integer :: i, everyone(size), backwards(size), range(3, 2), none(1)
    HANDLE(MPI_Group) :: group, low, high, other
    everyone = [(i, i = 0, size - 1)]
    backwards = [(size - i, i = 1, size)]
    none = 0
    call MPI_Group_incl(world_group, size, backwards, group, ierr)
    call has('incl', group, backwards)
    call MPI_Group_incl(world_group, 1, [size - 1], group, ierr)
    call has('incl of one', group, [size - 1])
    call MPI_Group_incl(world_group, 0, none, group, ierr)
    call has('incl of none', group, everyone(1:0))
    call MPI_Group_excl(world_group, 1, [0], group, ierr)
    call has('excl', group, everyone(2:))
    call MPI_Group_excl(world_group, size, everyone, group, ierr)
    call has('excl of all', group, everyone(1:0))
    call MPI_Group_excl(world_group, 0, none, group, ierr)
    call has('excl of none', group, everyone)
    range(:, 1) = [size - 1, 0, -1]
    range(:, 2) = [0, 0, 1]
    call MPI_Group_range_incl(world_group, 1, range, group, ierr)
    call has('range_incl', group, backwards)
    call MPI_Group_range_incl(world_group, 0, range, group, ierr)
    call has('range_incl of none', group, everyone(1:0))
    call MPI_Group_range_excl(world_group, 1, range(:, 2:2), group, ierr)
    call has('range_excl', group, everyone(2:))
    call MPI_Group_range_excl(world_group, 1, range, group, ierr)
    call has('range_excl of all', group, everyone(1:0))
    call MPI_Group_incl(world_group, 1, [0], low, ierr)
    call MPI_Group_excl(world_group, 1, [0], high, ierr)
    call MPI_Group_union(high, low, group, ierr)
    call has('union', group, [everyone(2:), 0])
    call MPI_Group_union(low, world_group, group, ierr)
    call has('union of parts', group, everyone)
    call MPI_Group_intersection(world_group, high, group, ierr)
    call has('intersection', group, everyone(2:))
    call MPI_Group_intersection(low, high, group, ierr)
    call has('empty intersection', group, everyone(1:0))
    call MPI_Group_difference(world_group, low, group, ierr)
    call has('difference', group, everyone(2:))
    call MPI_Group_difference(low, world_group, group, ierr)
    call has('empty difference', group, everyone(1:0))
    call MPI_Group_union(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, other, ierr)
    call has('union of empty groups', other, everyone(1:0))
    call MPI_Group_free(low, ierr)
    if (high /= MPI_GROUP_EMPTY) call MPI_Group_free(high, ierr)
  end subroutine groups

  ! Each has a number of its own, also where a freed one was.
  subroutine many_groups
    integer, parameter :: n = 300
    HANDLE(MPI_Group) :: several(n)
    integer :: i, round, length, at
    logical :: good
    good = .true.
    do round = 1, 2
      do i = 1, n
        at = mod(i, size)
        call MPI_Group_incl(world_group, 1, [at], several(i), ierr)
      end do
      do i = 1, n
        if (i > 1) good = good .and. several(i) /= several(i - 1)
        call MPI_Group_size(several(i), length, ierr)
        call MPI_Group_rank(several(i), at, ierr)
        good = good .and. length == 1 .and. ((at == 0) .eqv. (mod(i, size) == rank))
      end do
      do i = n, 1, -1
        call MPI_Group_free(several(i), ierr)
        good = good .and. several(i) == MPI_GROUP_NULL
      end do
    end do
    call say('many groups', good)
  end subroutine many_groups

  subroutine communicators
    integer :: i, n, result, color
    integer :: coords(1), neighbors(1)
    HANDLE(MPI_Group) :: group, found
    HANDLE(MPI_Comm) :: comm, grid, other
    HANDLE(MPI_Request) :: request
    n = (size + 1) / 2
    call MPI_Group_incl(world_group, n, [(i, i = 0, n - 1)], group, ierr)
    call MPI_Comm_create(MPI_COMM_WORLD, group, comm, ierr)
    call say('create', (comm == MPI_COMM_NULL) .eqv. (rank >= n))
    if (rank < n) then
      call MPI_Comm_group(comm, found, ierr)
      call MPI_Group_compare(group, found, result, ierr)
      call say('group of a communicator', result == MPI_IDENT)
      call MPI_Group_free(found, ierr)
      call exchange('all to all in a half', comm, n)
      call MPI_Comm_free(comm, ierr)
      call MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, comm, ierr)
      call exchange('all to all in a group', comm, n)
      call MPI_Comm_free(comm, ierr)
    end if
    call MPI_Group_free(group, ierr)
    call MPI_Comm_idup(MPI_COMM_WORLD, comm, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_compare(comm, MPI_COMM_WORLD, result, ierr)
    call say('idup', result == MPI_CONGRUENT .and. request == MPI_REQUEST_NULL)
    call exchange('all to all in a copy', comm, size)
    call MPI_Cart_create(comm, 1, [size], [.true.], .false., grid, ierr)
    call MPI_Cart_coords(grid, rank, 1, coords, ierr)
    call MPI_Topo_test(grid, result, ierr)
    call say('grid', coords(1) == rank .and. result == MPI_CART)
    call exchange('all to all in a grid', grid, size)
    call MPI_Comm_free(grid, ierr)
    call MPI_Cart_create(comm, 2, [size, 1], [.true., .false.], .false., grid, ierr)
    call MPI_Cart_sub(grid, [.false., .true.], other, ierr)
    call MPI_Comm_size(other, n, ierr)
    call say('part of a grid', n == 1)
    call exchange('all to all in a part of a grid', other, 1)
    call MPI_Comm_free(other, ierr)
    call MPI_Comm_free(grid, ierr)
    call MPI_Graph_create(comm, size, [(i, i = 1, size)], [(mod(i, size), i = 1, size)], .false., grid, ierr)
    call MPI_Graph_neighbors(grid, rank, 1, neighbors, ierr)
    call say('graph', neighbors(1) == mod(rank + 1, size))
    call exchange('all to all in a graph', grid, size)
    call MPI_Comm_free(grid, ierr)
    color = MPI_UNDEFINED
    if (rank == 0) color = 1
    call MPI_Comm_split(comm, color, 0, other, ierr)
    call say('split', (other == MPI_COMM_NULL) .eqv. (rank /= 0))
    if (rank == 0) call MPI_Comm_free(other, ierr)
    call MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, other, ierr)
    call exchange('all to all on a node', other, size)
    call MPI_Comm_disconnect(other, ierr)
    call say('disconnected', other == MPI_COMM_NULL)
    call MPI_Comm_free(comm, ierr)
  end subroutine communicators

  ! The first half, of which the second sees so many, and the other way round.
  subroutine intercommunicators
    HANDLE(MPI_Comm) :: half, inter, copy, merged
    HANDLE(MPI_Group) :: group
    integer :: n, low, mine, other, leader
    logical :: flag, second, unlike
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
    low = (size + 1) / 2
    second = rank >= low
    mine = merge(size - low, low, second)
    other = size - mine
    leader = merge(0, low, second)
    call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, second), rank, half, ierr)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, leader, 7, inter, ierr)
    call MPI_Comm_test_inter(inter, flag, ierr)
    call say('is an intercommunicator', flag)
    call MPI_Comm_size(inter, n, ierr)
    call say('local size', n == mine)
    call MPI_Comm_remote_size(inter, n, ierr)
    call say('remote size', n == other)
    call MPI_Comm_group(inter, group, ierr)
    call MPI_Group_size(group, n, ierr)
    call say('local group', n == mine)
    call MPI_Group_free(group, ierr)
    call MPI_Comm_remote_group(inter, group, ierr)
    call MPI_Group_size(group, n, ierr)
    call say('remote group', n == other)
    call MPI_Group_free(group, ierr)
    unlike = .false.
#ifdef MODERN
    ! MPICH's binding takes the number of types from the local group.
    call MPI_Get_library_version(version, n, ierr)
    unlike = mine /= other .and. version(1:8) /= 'Open MPI'
#endif
    if (.not. unlike) call exchange('all to all between groups', inter, other)
    call MPI_Comm_dup(inter, copy, ierr)
    if (.not. unlike) call exchange('all to all in a copy between groups', copy, other)
    call MPI_Intercomm_merge(copy, second, merged, ierr)
    call MPI_Comm_rank(merged, n, ierr)
    call say('merged', n == rank)
    call exchange('all to all when merged', merged, size)
    call MPI_Comm_free(merged, ierr)
    call MPI_Comm_free(copy, ierr)
    call MPI_Comm_free(inter, ierr)
    call MPI_Comm_free(half, ierr)
  end subroutine intercommunicators

  ! The bindings ask the communicator itself how many types there are.
  subroutine exchange(what, comm, n)
    character(len=*), intent(in) :: what
    HANDLE(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: n
    integer :: me, i, round
    integer, asynchronous :: give(n), take(n), ones(n), offsets(n)
    HANDLE(MPI_Datatype) :: kinds(n)
    HANDLE(MPI_Request) :: request
    logical :: good
    call MPI_Comm_rank(comm, me, ierr)
    give = [(me * 100 + i, i = 0, n - 1)]
    ones = 1
    offsets = [(4 * i, i = 0, n - 1)]
    kinds = MPI_INTEGER
    good = .true.
    do round = 1, 2
      take = -1
      if (round == 1) then
        call MPI_Alltoallw(give, ones, offsets, kinds, take, ones, offsets, kinds, comm, ierr)
      else
        call MPI_Ialltoallw(give, ones, offsets, kinds, take, ones, offsets, kinds, comm, request, ierr)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        call MPI_Get_address(take, at, ierr)
      end if
      good = good .and. sum(abs(take - [(i * 100 + me, i = 0, n - 1)])) == 0
    end do
    call say(what, good)
  end subroutine exchange

  ! Four requests in each of the eight forms of completion: null, inactive, a send and a receive.
  subroutine completions
    integer, parameter :: n = 4
    integer :: form, left, right, got, done, index, indices(n), count, sent
    character(len=8), parameter :: names(8) = &
      [character(len=8) :: 'wait', 'waitany', 'waitsome', 'waitall', 'test', 'testany', 'testsome', 'testall']
    HANDLE(MPI_Request) :: requests(n), kept(n)
    STATUS_TYPE :: status
    STATUSES(n) :: statuses
    logical :: flag
    left = mod(rank + size - 1, size)
    right = mod(rank + 1, size)
    do form = 1, 8
      sent = 100 * form + rank
      got = -1
      requests(1) = MPI_REQUEST_NULL
      call MPI_Send_init(sent, 1, MPI_INTEGER, right, 90, MPI_COMM_WORLD, requests(2), ierr)
      call MPI_Recv_init(got, 1, MPI_INTEGER, left, form, MPI_COMM_WORLD, requests(3), ierr)
      kept = requests
      call MPI_Start(requests(3), ierr)
      call MPI_Isend(sent, 1, MPI_INTEGER, right, form, MPI_COMM_WORLD, requests(4), ierr)
      done = 0
      select case (form)
      case (1)
        do index = 1, n
          call MPI_Wait(requests(index), status, ierr)
          if (index == 3) call say('status of wait', SOURCE(status) == left .and. TAG(status) == form)
        end do
      case (2)
        do
          call MPI_Waitany(n, requests, index, status, ierr)
          if (index < 0) exit
          done = done + index
        end do
      case (3)
        do
          call MPI_Waitsome(n, requests, count, indices, statuses, ierr)
          if (count < 0) exit
          done = done + sum(indices(1:count))
        end do
      case (4)
        call MPI_Waitall(n, requests, statuses, ierr)
        call say('status of waitall', SOURCE_OF(statuses, 3) == left .and. TAG_OF(statuses, 3) == form)
      case (5)
        do index = 1, n
          flag = .false.
          do while (.not. flag)
            call MPI_Test(requests(index), flag, status, ierr)
          end do
        end do
      case (6)
        do
          call MPI_Testany(n, requests, index, flag, status, ierr)
          if (flag .and. index < 0) exit
          if (flag) done = done + index
        end do
      case (7)
        do
          call MPI_Testsome(n, requests, count, indices, statuses, ierr)
          if (count < 0) exit
          done = done + sum(indices(1:count))
        end do
      case (8)
        flag = .false.
        do while (.not. flag)
          call MPI_Testall(n, requests, flag, statuses, ierr)
        end do
      end select
      select case (form)
      case (2, 3, 6, 7)
        call say('which of '//names(form)//': '//text(done), done > 0)
      end select
      call MPI_Get_address(got, at, ierr)
      call say('received by '//names(form), got == 100 * form + left)
      call say('requests after '//names(form), requests(1) == MPI_REQUEST_NULL .and. requests(2) == kept(2) &
               .and. requests(3) == kept(3) .and. requests(4) == MPI_REQUEST_NULL)
      call MPI_Request_free(requests(2), ierr)
      call MPI_Request_free(requests(3), ierr)
      call say('freed after '//names(form), requests(2) == MPI_REQUEST_NULL .and. requests(3) == MPI_REQUEST_NULL)
    end do
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(1), ierr)
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status(requests(1), flag, status, ierr)
    end do
    call say('asked for its status', requests(1) /= MPI_REQUEST_NULL)
    call MPI_Wait(requests(1), status, ierr)
    call say('and waited for', requests(1) == MPI_REQUEST_NULL)
  end subroutine completions

  ! Nothing to wait for: null requests, and none at all.
  subroutine no_requests
    HANDLE(MPI_Request) :: requests(2)
    STATUS_TYPE :: status
    STATUSES(2) :: statuses
    integer :: index, count, indices(2)
    logical :: flag
    requests = MPI_REQUEST_NULL
    call MPI_Wait(requests(1), status, ierr)
    call say('empty status', SOURCE(status) == MPI_ANY_SOURCE .and. TAG(status) == MPI_ANY_TAG)
    call MPI_Test(requests(1), flag, status, ierr)
    call say('test of null', flag .and. requests(1) == MPI_REQUEST_NULL)
    call MPI_Waitany(2, requests, index, status, ierr)
    call say('waitany of nulls: '//text(index), index < 0)
    call MPI_Testany(2, requests, index, flag, status, ierr)
    call say('testany of nulls: '//text(index), flag .and. index < 0)
    call MPI_Waitsome(2, requests, count, indices, statuses, ierr)
    call say('waitsome of nulls: '//text(count), count < 0)
    call MPI_Testsome(2, requests, count, indices, statuses, ierr)
    call say('testsome of nulls: '//text(count), count < 0)
    call MPI_Waitall(2, requests, statuses, ierr)
    call say('waitall of nulls', requests(1) == MPI_REQUEST_NULL .and. requests(2) == MPI_REQUEST_NULL)
    call MPI_Testall(2, requests, flag, statuses, ierr)
    call say('testall of nulls', flag .and. requests(1) == MPI_REQUEST_NULL .and. requests(2) == MPI_REQUEST_NULL)
    call MPI_Waitall(0, requests, statuses, ierr)
    call MPI_Testall(0, requests, flag, statuses, ierr)
    call say('testall of none', flag)
    call MPI_Waitany(0, requests, index, status, ierr)
    call say('waitany of none: '//text(index), index < 0)
    call MPI_Testany(0, requests, index, flag, status, ierr)
    call say('testany of none: '//text(index), flag .and. index < 0)
  end subroutine no_requests

  subroutine messages
    HANDLE(MPI_Message) :: message
    HANDLE(MPI_Request) :: request, sending
    STATUS_TYPE :: status
    integer :: sent, got, left, right, count
    logical :: flag
    left = mod(rank + size - 1, size)
    right = mod(rank + 1, size)
    sent = rank + 1
    call MPI_Isend(sent, 1, MPI_INTEGER, right, 61, MPI_COMM_WORLD, sending, ierr)
    call MPI_Mprobe(left, 61, MPI_COMM_WORLD, message, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call say('mprobe', count == 1 .and. message /= MPI_MESSAGE_NULL .and. message /= MPI_MESSAGE_NO_PROC)
    got = -1
    call MPI_Mrecv(got, 1, MPI_INTEGER, message, status, ierr)
    call MPI_Wait(sending, MPI_STATUS_IGNORE, ierr)
    call say('mrecv', got == left + 1 .and. message == MPI_MESSAGE_NULL)
    call MPI_Isend(sent, 1, MPI_INTEGER, right, 62, MPI_COMM_WORLD, sending, ierr)
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(left, MPI_ANY_TAG, MPI_COMM_WORLD, flag, message, status, ierr)
    end do
    got = -1
    call MPI_Imrecv(got, 1, MPI_INTEGER, message, request, ierr)
    call say('imrecv', message == MPI_MESSAGE_NULL .and. request /= MPI_REQUEST_NULL)
    call MPI_Wait(request, status, ierr)
    call MPI_Get_address(got, at, ierr)
    call say('received by imrecv', got == left + 1 .and. TAG(status) == 62 .and. request == MPI_REQUEST_NULL)
    call MPI_Wait(sending, MPI_STATUS_IGNORE, ierr)
    call MPI_Improbe(left, 63, MPI_COMM_WORLD, flag, message, status, ierr)
    call say('improbe of nothing', .not. flag)
    call MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, message, status, ierr)
    call say('no process', message == MPI_MESSAGE_NO_PROC .and. SOURCE(status) == MPI_PROC_NULL)
    call MPI_Mrecv(got, 1, MPI_INTEGER, message, status, ierr)
    call say('received from no process', message == MPI_MESSAGE_NULL .and. SOURCE(status) == MPI_PROC_NULL)
  end subroutine messages

  subroutine hints
    HANDLE(MPI_Info) :: info, copy
    character(len=20) :: key, value
    integer :: length, keys
    logical :: flag
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, 'colour ', ' red ', ierr)
    call MPI_Info_set(info, 'shape', 'round', ierr)
    call MPI_Info_dup(info, copy, ierr)
    call MPI_Info_delete(info, 'shape', ierr)
    call MPI_Info_get_nkeys(info, keys, ierr)
    call say('deleted key', keys == 1 .and. copy /= info)
    call MPI_Info_get_nthkey(info, 0, key, ierr)
    call say('key', key == 'colour')
    call MPI_Info_get_valuelen(copy, 'shape', length, flag, ierr)
    call say('length of a value', flag .and. length == 5)
    call MPI_Info_get(copy, 'shape', 20, value, flag, ierr)
    call say('value', flag .and. value == 'round')
    call MPI_Info_get(info, 'shape', 20, value, flag, ierr)
    call say('no value', .not. flag)
    call MPI_Info_free(info, ierr)
    call MPI_Info_free(copy, ierr)
    call say('freed hints', info == MPI_INFO_NULL .and. copy == MPI_INFO_NULL)
    call MPI_Comm_get_info(MPI_COMM_WORLD, info, ierr)
    call say('hints of a communicator', info /= MPI_INFO_NULL)
    call MPI_Info_free(info, ierr)
  end subroutine hints

  subroutine types
    HANDLE(MPI_Datatype) :: pair, copy, parts(1), found
    integer :: integers, addresses, kinds, combiner, numbers(3), bytes
    integer(kind=MPI_ADDRESS_KIND) :: places(1)
    call MPI_Type_contiguous(2, MPI_DOUBLE_PRECISION, pair, ierr)
    call MPI_Type_dup(pair, copy, ierr)
    call MPI_Type_get_envelope(copy, integers, addresses, kinds, combiner, ierr)
    call say('envelope', combiner == MPI_COMBINER_DUP .and. kinds == 1)
    call MPI_Type_get_contents(copy, integers, addresses, kinds, numbers, places, parts, ierr)
    call MPI_Type_get_envelope(parts(1), integers, addresses, kinds, combiner, ierr)
    call say('inner type', combiner == MPI_COMBINER_CONTIGUOUS .and. integers == 1)
    call MPI_Type_get_contents(parts(1), integers, addresses, kinds, numbers, places, parts, ierr)
    call say('innermost type', parts(1) == MPI_DOUBLE_PRECISION .and. numbers(1) == 2)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, found, ierr)
    call MPI_Type_size(found, bytes, ierr)
    call say('type of a size', bytes == 8)
    call MPI_Type_create_f90_integer(9, found, ierr)
    call MPI_Type_size(found, bytes, ierr)
    call say('type of a range', bytes == 4)
    call MPI_Type_free(pair, ierr)
    call MPI_Type_free(copy, ierr)
    call say('freed types', pair == MPI_DATATYPE_NULL .and. copy == MPI_DATATYPE_NULL)
  end subroutine types

  subroutine handlers
    HANDLE(MPI_Errhandler) :: found
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Group) :: none
    HANDLE(MPI_Datatype) :: kinds(1)
    integer :: code, class, numbers(1) = 0, ones(1) = 1
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_get_errhandler(comm, found, ierr)
    call say('fatal errors', found == MPI_ERRORS_ARE_FATAL)
    call MPI_Errhandler_free(found, ierr)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_get_errhandler(comm, found, ierr)
    call say('returned errors', found == MPI_ERRORS_RETURN)
    call MPI_Errhandler_free(found, ierr)
    call say('freed handler', found == MPI_ERRHANDLER_NULL)
    call MPI_File_get_errhandler(MPI_FILE_NULL, found, ierr)
    call say('errors of files', found == MPI_ERRORS_RETURN)
    ! An error leaves the handle as it is.
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
    none = MPI_GROUP_EMPTY
    call MPI_Group_incl(world_group, 1, [size], none, code)
    call MPI_Error_class(code, class, ierr)
    call say('no such rank', class == MPI_ERR_RANK)
#ifndef MODERN
    ! MPICH's binding of the module mpi_f08 takes any number of types here.
    kinds = MPI_INTEGER
    call MPI_Alltoallw(numbers, ones, numbers, kinds, numbers, ones, numbers, kinds, MPI_COMM_NULL, code)
    call MPI_Error_class(code, class, ierr)
    call say('no communicator', class == MPI_ERR_COMM)
#endif
    call MPI_Comm_free(comm, ierr)
  end subroutine handlers
end program objects
