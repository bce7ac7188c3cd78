// Boost.MPI, built against Debian's library for Open MPI: serialised and plain messages, collectives with
// C++ operations, requests, communicators, skeletons and topologies.
#include <boost/mpi.hpp>
#include <boost/mpi/cartesian_communicator.hpp>
#include <boost/mpi/skeleton_and_content.hpp>
#include <boost/serialization/list.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace mpi = boost::mpi;

static int rank_;

static void say(const char *what, bool right)
{
    std::cout << (std::string(right ? "ok " : "WRONG ") + std::to_string(rank_) + " " + what + "\n")
              << std::flush;
}

struct Place {
    int x, y;
    double weight;

    template <class Archive> void serialize(Archive &archive, const unsigned int)
    {
        archive &x &y &weight;
    }
};

BOOST_IS_MPI_DATATYPE(Place)

struct Longer {
    std::string operator()(const std::string &a, const std::string &b) const
    {
        return a + b;
    }
};

int main(int argc, char **argv)
{
    mpi::environment environment(argc, argv, mpi::threading::multiple);
    mpi::communicator world;
    const int size = world.size(), next = (world.rank() + 1) % size;
    const int previous = (world.rank() + size - 1) % size;

    rank_ = world.rank();
    say("environment", environment.initialized() && !mpi::environment::processor_name().empty());

    // Serialised: the length travels first.
    std::map<std::string, std::vector<int>> sent, got;
    for (int i = 0; i < 50; i++)
        sent["key " + std::to_string(i)].assign(i, rank_ + i);
    mpi::request sending = world.isend(next, 3, sent);
    mpi::status status = world.recv(mpi::any_source, 3, got);
    sending.wait();
    say("serialised", got.size() == 50 && got["key 49"].size() == 49 && got["key 7"][0] == previous + 7 &&
                          status.source() == previous && status.tag() == 3);

    // A type of MPI's, made from the class.
    std::vector<Place> places(4, Place{rank_, -rank_, rank_ * 0.5}), came(4);
    mpi::request requests[2];
    requests[0] = world.irecv(previous, 4, came.data(), 4);
    requests[1] = world.isend(next, 4, places.data(), 4);
    mpi::wait_all(requests, requests + 2);
    say("datatype", came[3].x == previous && came[3].y == -previous && came[3].weight == previous * 0.5);

    // A vector whose length the receiver does not know.
    std::vector<double> many(1000 + rank_, rank_), arrived;
    requests[0] = world.irecv(previous, 5, arrived);
    requests[1] = world.isend(next, 5, many);
    mpi::wait_all(requests, requests + 2);
    say("vector", arrived.size() == 1000u + previous && arrived.back() == previous);

    int total = mpi::all_reduce(world, rank_ + 1, std::plus<int>());
    say("all_reduce", total == size * (size + 1) / 2);
    say("minimum", mpi::all_reduce(world, rank_ + 5, mpi::minimum<int>()) == 5);
    int sum;
    mpi::scan(world, rank_, sum, std::plus<int>());
    say("scan", sum == rank_ * (rank_ + 1) / 2);
    std::string word, letter(1, static_cast<char>('a' + rank_)), expected;
    for (int i = 0; i < size; i++)
        expected += static_cast<char>('a' + i);
    mpi::reduce(world, letter, word, Longer(), 0);
    say("reduce of strings", rank_ != 0 || word == expected);
    std::vector<std::string> words;
    mpi::all_gather(world, letter, words);
    say("all_gather", static_cast<int>(words.size()) == size && words[next] == std::string(1, 'a' + next));
    std::list<int> list;
    if (rank_ == 0)
        list.assign({1, 2, 3});
    mpi::broadcast(world, list, 0);
    say("broadcast", list.size() == 3 && list.back() == 3);
    std::vector<std::string> out, in;
    for (int i = 0; i < size; i++)
        out.push_back(std::to_string(rank_) + " to " + std::to_string(i));
    mpi::all_to_all(world, out, in);
    say("all_to_all", in[next] == std::to_string(next) + " to " + std::to_string(rank_));
    int part = -1;
    std::vector<int> parts;
    for (int i = 0; i < size; i++)
        parts.push_back(i * i);
    mpi::scatter(world, parts, part, 0);
    say("scatter", part == rank_ * rank_);

    // The shape once, the content as often as wanted.
    std::list<int> shape(20);
    if (rank_ == 0) {
        for (int to = 1; to < size; to++)
            world.send(to, 6, mpi::skeleton(shape));
        mpi::content content = mpi::get_content(shape);
        for (int round = 0; round < 3; round++) {
            std::fill(shape.begin(), shape.end(), round);
            mpi::broadcast(world, content, 0);
        }
        say("skeleton", true);
    } else {
        std::list<int> copy;
        world.recv(0, 6, mpi::skeleton(copy));
        mpi::content content = mpi::get_content(copy);
        bool right = copy.size() == 20;
        for (int round = 0; round < 3; round++) {
            mpi::broadcast(world, content, 0);
            right = right && copy.front() == round && copy.back() == round;
        }
        say("skeleton", right);
    }

    mpi::communicator half = world.split(rank_ % 2, -rank_);
    say("split", half.size() == (size + 1 - rank_ % 2) / 2);
    mpi::group odd = world.group().exclude(parts.begin(), parts.begin() + 1);
    mpi::communicator rest(world, odd);
    say("group", static_cast<bool>(rest) == (rank_ != 0));
    mpi::cartesian_dimension dimension[] = {{size, true}};
    mpi::cartesian_communicator ring(world, mpi::cartesian_topology(dimension));
    std::pair<int, int> both = ring.shifted_ranks(0, 1);
    say("ring", both.first == previous && both.second == next);

    world.barrier();
    return 0;
}
