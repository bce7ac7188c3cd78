/* The C half of attributes.f90. */
#include <stddef.h>

#include <mpi.h>

static int variable = 99, calls;

static int copy(MPI_Comm comm, int key, void *state, void *old, void *new, int *flag)
{
    (void)comm, (void)key, (void)state;
    calls++;
    *(void **)new = old;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    calls++;
    return MPI_SUCCESS;
}

long c_reads(int comm, int key, int what)
{
    void *value;
    int flag;

    MPI_Comm_get_attr(MPI_Comm_f2c(comm), key, &value, &flag);
    if (!flag)
        return -1;
    return what ? (long)*(MPI_Aint *)value : *(int *)value;
}

long c_sets(int comm, int key)
{
    MPI_Comm_set_attr(MPI_Comm_f2c(comm), key, &variable);
    return (long)&variable;
}

int c_key(void)
{
    int key;

    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    return key;
}

int c_calls(void)
{
    return calls;
}
