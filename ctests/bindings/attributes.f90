! Attributes that one language sets and another reads (MPI-5.0, 19.3.7), and Fortran's procedures for them.
! The C half is attributes.c.
module copies
  use mpi
  implicit none
  integer :: copied = 0, deleted = 0, copied_int = 0, deleted_int = 0
  integer(kind=MPI_ADDRESS_KIND) :: last_deleted = -1
contains
  subroutine copy(comm, keyval, state, old, new, flag, ierr)
    integer :: comm, keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) :: state, old, new
    logical :: flag
    copied = copied + 1
    new = old + state
    flag = old /= 13
    ierr = MPI_SUCCESS
  end subroutine copy

  subroutine delete(comm, keyval, value, state, ierr)
    integer :: comm, keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) :: value, state
    deleted = deleted + 1
    last_deleted = value
    ierr = MPI_SUCCESS
  end subroutine delete

  subroutine copy_int(comm, keyval, state, old, new, flag, ierr)
    integer :: comm, keyval, state, old, new, ierr
    logical :: flag
    copied_int = copied_int + 1
    new = old + state
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine copy_int

  subroutine delete_int(comm, keyval, value, state, ierr)
    integer :: comm, keyval, value, state, ierr
    deleted_int = deleted_int + 1
    last_deleted = value
    ierr = MPI_SUCCESS
  end subroutine delete_int
end module copies

program attributes
  use copies
  use iso_c_binding
  implicit none
  interface
    ! Gives what the address of an attribute, as C reads it, points to: 0 for an int, 1 for an MPI_Aint.
    integer(c_long) function c_reads(comm, keyval, what) bind(c)
      import :: c_int, c_long
      integer(c_int), value :: comm, keyval, what
    end function c_reads
    ! Sets an attribute in C to the address of a static variable, and gives the address.
    integer(c_long) function c_sets(comm, keyval) bind(c)
      import :: c_int, c_long
      integer(c_int), value :: comm, keyval
    end function c_sets
    integer(c_int) function c_key() bind(c)
      import :: c_int
    end function c_key
    integer(c_int) function c_calls() bind(c)
      import :: c_int
    end function c_calls
  end interface
  integer :: ierr, rank, key, key_int, key_c, key_type, key_dup, comm, new, small, type, type_new
  integer(kind=MPI_ADDRESS_KIND) :: state, value, big
  integer :: state_int
  logical :: flag

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  big = 5_MPI_ADDRESS_KIND * 2_MPI_ADDRESS_KIND**40 + 9

  ! Predefined attributes are integers for Fortran, old and new, and for C the address of one.
  call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, small, flag, ierr)
  call say('tag bound, old', flag .and. small >= 32767)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
  call say('tag bound', flag .and. value == small)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, ierr)
  call say('clock', .not. flag .or. value == 0 .or. value == 1)

  ! The new procedures.
  state = 100
  call MPI_Comm_create_keyval(copy, delete, key, state, ierr)
  call MPI_Comm_get_attr(comm, key, value, flag, ierr)
  call say('not set', .not. flag)
  call MPI_Comm_set_attr(comm, key, big, ierr)
  call MPI_Comm_get_attr(comm, key, value, flag, ierr)
  call say('address', flag .and. value == big)
  call MPI_Attr_get(comm, key, small, flag, ierr)
  call say('address as integer', flag .and. small == 9)
  call say('address in C', c_reads(comm, key, 1) == big)
  call MPI_Comm_dup(comm, new, ierr)
  call MPI_Comm_get_attr(new, key, value, flag, ierr)
  call say('copied', flag .and. value == big + 100 .and. copied == 1)
  call say('copied in C', c_reads(new, key, 1) == big + 100)
  call MPI_Comm_set_attr(new, key, 13_MPI_ADDRESS_KIND, ierr)
  call say('deleted', deleted == 1 .and. last_deleted == big + 100)
  call MPI_Comm_free(new, ierr)
  call say('deleted with its communicator', deleted == 2 .and. last_deleted == 13)
  call MPI_Comm_delete_attr(comm, key, ierr)
  call say('deleted by hand', deleted == 3 .and. last_deleted == big)
  call MPI_Comm_free_keyval(key, ierr)
  call say('freed key', key == MPI_KEYVAL_INVALID)

  ! The old ones.
  state_int = 7
  call MPI_Keyval_create(copy_int, delete_int, key_int, state_int, ierr)
  call MPI_Attr_put(comm, key_int, -42, ierr)
  call MPI_Attr_get(comm, key_int, small, flag, ierr)
  call say('integer', flag .and. small == -42)
  call MPI_Comm_get_attr(comm, key_int, value, flag, ierr)
  call say('integer as address', flag .and. value == -42)
  call say('integer in C', c_reads(comm, key_int, 0) == -42)
  call MPI_Comm_dup(comm, new, ierr)
  call MPI_Attr_get(new, key_int, small, flag, ierr)
  call say('copied integer', flag .and. small == -35 .and. copied_int == 1)
  call MPI_Attr_delete(new, key_int, ierr)
  call say('deleted integer', deleted_int == 1 .and. last_deleted == -35)
  call MPI_Comm_free(new, ierr)
  call MPI_Attr_delete(comm, key_int, ierr)
  call MPI_Keyval_free(key_int, ierr)

  ! C's key and value.
  key_c = c_key()
  value = c_sets(comm, key_c)
  big = value
  value = 0
  call MPI_Comm_get_attr(comm, key_c, value, flag, ierr)
  call say('pointer of C', flag .and. value == big)
  call MPI_Comm_dup(comm, new, ierr)
  call MPI_Comm_get_attr(new, key_c, value, flag, ierr)
  call say('copied by C', flag .and. value == big .and. c_calls() == 1)
  call MPI_Comm_free(new, ierr)
  call say('deleted by C', c_calls() == 2)
  call MPI_Comm_set_attr(comm, key_c, 77_MPI_ADDRESS_KIND, ierr)
  call say('replaced by Fortran', c_reads(comm, key_c, 1) == 77 .and. c_calls() == 3)
  call MPI_Comm_delete_attr(comm, key_c, ierr)
  call MPI_Comm_free_keyval(key_c, ierr)

  ! Predefined procedures; datatypes.
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key_dup, state, ierr)
  call MPI_Comm_set_attr(comm, key_dup, 31_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_dup(comm, new, ierr)
  call MPI_Comm_get_attr(new, key_dup, value, flag, ierr)
  call say('dup function', flag .and. value == 31)
  call MPI_Comm_free(new, ierr)
  call MPI_Comm_free_keyval(key_dup, ierr)
  call MPI_Type_create_keyval(copy, delete, key_type, state, ierr)
  call MPI_Type_contiguous(2, MPI_INTEGER, type, ierr)
  call MPI_Type_set_attr(type, key_type, 55_MPI_ADDRESS_KIND, ierr)
  call MPI_Type_set_attr(MPI_INTEGER, key_type, 56_MPI_ADDRESS_KIND, ierr)
  call MPI_Type_dup(type, type_new, ierr)
  call MPI_Type_get_attr(type_new, key_type, value, flag, ierr)
  call say('copied with its type', flag .and. value == 155)
  call MPI_Type_get_attr(MPI_INTEGER, key_type, value, flag, ierr)
  call say('on a predefined type', flag .and. value == 56)
  call MPI_Type_delete_attr(MPI_INTEGER, key_type, ierr)
  deleted = 0
  call MPI_Type_free(type_new, ierr)
  call MPI_Type_free(type, ierr)
  call say('deleted with its type', deleted == 2 .and. last_deleted == 55)
  call MPI_Type_free_keyval(key_type, ierr)
  call MPI_Comm_free(comm, ierr)
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
end program attributes
