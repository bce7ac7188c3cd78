// The C++ bindings of MPI-2, which both families' Debian packages still have: operations, attributes, error
// handlers, generalised requests and datatypes through MPI::.
#include <mpi.h>

#include <cstdio>
#include <cstring>

static int rank_, size_;

static void say(const char *what, bool right)
{
    std::printf("%s %d %s\n", right ? "ok" : "WRONG", rank_, what);
}

static int unlike;

static void add(const void *in, void *inout, int length, const MPI::Datatype &type)
{
    const int *from = static_cast<const int *>(in);
    int *to = static_cast<int *>(inout);

    unlike += type != MPI::INT;
    for (int i = 0; i < length; i++)
        to[i] += from[i];
}

static void operations()
{
    int mine[3] = {rank_ + 1, 10 * (rank_ + 1), 7}, all[3];
    int sum = size_ * (size_ + 1) / 2;

    for (int round = 0; round < 3; round++) {
        MPI::Op op;
        op.Init(add, true);
        MPI::COMM_WORLD.Allreduce(mine, all, 3, MPI::INT, op);
        say("operation", all[0] == sum && all[1] == 10 * sum && all[2] == 7 * size_);
        op.Free();
    }
    say("type of the operation", unlike == 0);
    int total = rank_;
    MPI::COMM_WORLD.Allreduce(MPI::IN_PLACE, &total, 1, MPI::INT, MPI::SUM);
    say("in place", total == size_ * (size_ - 1) / 2);
}

static int copied, deleted, intra, cart;

static int copy(const MPI::Comm &comm, int, void *state, void *old, void *place, bool &flag)
{
    copied++;
    intra += comm.Get_topology() == MPI_UNDEFINED;
    cart += dynamic_cast<const MPI::Cartcomm *>(&comm) != NULL;
    *static_cast<void **>(place) = static_cast<char *>(old) + *static_cast<int *>(state);
    flag = true;
    return MPI::SUCCESS;
}

static int remove(MPI::Comm &, int, void *, void *)
{
    deleted++;
    return MPI::SUCCESS;
}

// The families' headers differ here.
#ifdef OPEN_MPI
typedef const void *Old_value;
#else
typedef void *Old_value;
#endif

static int copy_type(const MPI::Datatype &, int, void *, Old_value old, void *place, bool &flag)
{
    copied++;
    *static_cast<void **>(place) = const_cast<void *>(static_cast<const void *>(old));
    flag = true;
    return MPI::SUCCESS;
}

static int remove_type(MPI::Datatype &, int, void *, void *)
{
    deleted++;
    return MPI::SUCCESS;
}

static void attributes()
{
    static char text[] = "attribute";
    static int step = 3;
    void *found = NULL;
    int key = MPI::Comm::Create_keyval(copy, remove, &step);
    MPI::Intracomm one = MPI::COMM_WORLD.Dup();

    say("not set", !one.Get_attr(key, &found));
    one.Set_attr(key, text);
    say("set", one.Get_attr(key, &found) && found == text);
    MPI::Intracomm two = one.Dup();
    say("copied", two.Get_attr(key, &found) && found == text + 3 && copied == 1 && intra == 1);
    two.Delete_attr(key);
    say("deleted", deleted == 1 && !two.Get_attr(key, &found));
    two.Free();
    one.Free();
    say("deleted with its communicator", deleted == 2);

    int dims[1] = {size_};
    bool periods[1] = {true};
    MPI::Cartcomm ring = MPI::COMM_WORLD.Create_cart(1, dims, periods, false);
    ring.Set_attr(key, text);
    MPI::Cartcomm again = ring.Dup();
    say("copied with its topology", cart == 1 && again.Get_attr(key, &found) && found == text + 3);
    int from, to;
    again.Shift(0, 1, from, to);
    say("neighbours", from == (rank_ + size_ - 1) % size_ && to == (rank_ + 1) % size_);
    again.Free();
    ring.Free();
    MPI::Comm::Free_keyval(key);

    copied = deleted = 0;
    key = MPI::Datatype::Create_keyval(copy_type, remove_type, NULL);
    MPI::Datatype pair = MPI::INT.Create_contiguous(2);
    pair.Set_attr(key, text);
    MPI::Datatype other = pair.Dup();
    say("copied with its type", copied == 1 && other.Get_attr(key, &found) && found == text);
    other.Free();
    pair.Free();
    say("deleted with its type", deleted == 2);
    MPI::Datatype::Free_keyval(key);
    say("tag bound", MPI::COMM_WORLD.Get_attr(MPI::TAG_UB, &found) && *static_cast<int *>(found) >= 32767);
}

static int handled, seen_class, seen_size;

static void handler(MPI::Comm &comm, int *code, ...)
{
    handled++;
    seen_class = MPI::Get_error_class(*code);
    seen_size = comm.Get_size();
}

static void handlers()
{
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    MPI::Errhandler mine = MPI::Comm::Create_errhandler(handler);

    comm.Set_errhandler(mine);
    mine.Free();
    comm.Send(&handled, 1, MPI::INT, size_ + 3, 0);
    say("handler", handled == 1 && seen_class == MPI::ERR_RANK && seen_size == size_);
    comm.Call_errhandler(MPI::ERR_OTHER);
    say("handler by hand", handled == 2 && seen_class == MPI::ERR_OTHER);
    comm.Set_errhandler(MPI::ERRORS_RETURN);
    comm.Send(&handled, 1, MPI::INT, size_ + 3, 0);
    say("no handler", handled == 2);
    comm.Free();
}

static int queried, freed, cancelled;

static int query(void *state, MPI::Status &status)
{
    queried++;
    status.Set_elements(MPI::INT, *static_cast<int *>(state));
    status.Set_cancelled(cancelled > 0);
    status.Set_source(2);
    return MPI::SUCCESS;
}

static int release(void *)
{
    freed++;
    return MPI::SUCCESS;
}

static int cancel(void *, bool complete)
{
    cancelled += !complete;
    return MPI::SUCCESS;
}

static void requests()
{
    static int elements = 4;
    MPI::Status status;
    MPI::Grequest request;
    // Static in one family only.
    request = request.Start(query, release, cancel, &elements);

    say("under way", !request.Test());
    request.Complete();
    request.Wait(status);
    say("generalized request",
        status.Get_count(MPI::INT) == 4 && status.Get_source() == 2 && queried > 0 && freed == 1);

    int here = -1, right = (rank_ + 1) % size_, left = (rank_ + size_ - 1) % size_;
    MPI::Request both[2];
    both[0] = MPI::COMM_WORLD.Irecv(&here, 1, MPI::INT, MPI::ANY_SOURCE, 5);
    both[1] = MPI::COMM_WORLD.Isend(&rank_, 1, MPI::INT, right, 5);
    MPI::Status statuses[2];
    MPI::Request::Waitall(2, both, statuses);
    say("requests", here == left && statuses[0].Get_source() == left && statuses[0].Get_tag() == 5);
    MPI::Prequest again = MPI::COMM_WORLD.Send_init(&rank_, 1, MPI::INT, right, 6);
    for (int i = 0; i < 2; i++) {
        again.Start();
        MPI::COMM_WORLD.Recv(&here, 1, MPI::INT, left, 6, status);
        again.Wait();
    }
    again.Free();
    say("persistent request", here == left && status.Get_tag() == 6);
}

int main(int argc, char **argv)
{
    char name[MPI::MAX_PROCESSOR_NAME];
    int length;

    MPI::Init(argc, argv);
    rank_ = MPI::COMM_WORLD.Get_rank();
    size_ = MPI::COMM_WORLD.Get_size();
    MPI::Get_processor_name(name, length);
    say("processor name", length > 0 && static_cast<int>(std::strlen(name)) == length);
    operations();
    attributes();
    handlers();
    requests();
    MPI::COMM_WORLD.Barrier();
    MPI::Finalize();
    return 0;
}
