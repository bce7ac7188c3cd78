# Rmpi: numbers and R objects between ranks; rank 0 prints one line per check.
library(Rmpi)
wanted <- as.integer(commandArgs(trailingOnly = TRUE)[1])
rank <- mpi.comm.rank(0)
size <- mpi.comm.size(0)

check <- function(name, good) {
  # All ranks must agree that it is good.
  agreed <- mpi.allreduce(as.integer(isTRUE(good)), type = 1, op = "sum", comm = 0)
  if (rank == 0) cat(if (agreed == size) "ok" else "WRONG", name, "\n")
}

check("world size", size == wanted)
check("allreduce", mpi.allreduce(rank + 0.5, type = 2, op = "sum", comm = 0) == size * size / 2)
thing <- list(numbers = 1:5, text = "a text", nested = list(pi = pi))
got <- mpi.bcast.Robj(if (rank == 0) thing else NULL, rank = 0, comm = 0)
check("bcast of an object", identical(if (rank == 0) thing else got, thing))
all <- mpi.allgather.Robj(list(rank), comm = 0)
check("allgather of objects", identical(as.numeric(unlist(all)), as.numeric(0:(size - 1))))
if (size > 1) {
  # Around the ring; even ranks send first.
  right <- (rank + 1) %% size
  left <- (rank - 1) %% size
  long <- function(from) as.numeric(from * 100000 + 1:100000)
  if (rank %% 2 == 0) mpi.send.Robj(long(rank), dest = right, tag = 7, comm = 0)
  back <- mpi.recv.Robj(source = left, tag = 7, comm = 0)
  if (rank %% 2 == 1) mpi.send.Robj(long(rank), dest = right, tag = 7, comm = 0)
  check("long objects around a ring", identical(back, long(left)))
}
part <- mpi.scatter(as.integer(1:size * 10), type = 1, rdata = integer(1), root = 0, comm = 0)
check("scatter", part == (rank + 1) * 10)
invisible(mpi.barrier(comm = 0))
invisible(mpi.finalize())
