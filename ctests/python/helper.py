"""A program between the launcher and the rank: runs the words after the first one in a new process.

run: by subprocess, which closes all descriptors; taken: the same below a process that is the rank itself;
spawn: by multiprocessing, in a fresh interpreter that executes the Python program.
"""
import multiprocessing
import runpy
import subprocess
import sys


def work(words):
    sys.argv = words
    runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    how, words = sys.argv[1], sys.argv[2:]
    if how == "spawn":
        process = multiprocessing.get_context("spawn").Process(target=work, args=(words,))
        process.start()
        process.join()
        sys.exit(process.exitcode)
    if how == "taken":
        from mpi4py import MPI  # noqa: F401
    sys.exit(subprocess.run([sys.executable, *words]).returncode)
