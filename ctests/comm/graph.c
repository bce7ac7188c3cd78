/* Graph topologies: MPI_Graph_create and its queries, and MPI_Dist_graph_create from edges that any
 * rank may name, with weights. */
#include "../test.h"

int main(int argc, char **argv) {
    int *index, *edges, i, n, m, got[2], weights[2], in, out, weighted, source, degree = 1, target, weight;
    int sources[4], in_weights[4], targets[4], out_weights[4];
    MPI_Comm graph;
    test_start(&argc, &argv);
    n = test_size;
    index = test_alloc((size_t)n * sizeof(int)), edges = test_alloc((size_t)(2 * n) * sizeof(int));
    STEP("a ring, both ways");
    for (i = 0; i < n; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + 1) % n, edges[2 * i + 1] = (i + n - 1) % n;
    }
    MUST(MPI_Graph_create(MPI_COMM_WORLD, n, index, edges, 0, &graph));
    MUST(MPI_Topo_test(graph, &i));
    EQUAL("topology", MPI_GRAPH, i);
    MUST(MPI_Graphdims_get(graph, &i, &m));
    EQUAL("nodes", n, i);
    EQUAL("edges", 2 * n, m);
    memset(edges, -1, (size_t)(2 * n) * sizeof(int));
    MUST(MPI_Graph_get(graph, n, 2 * n, index, edges));
    EQUAL("last edge", (n + n - 2) % n, edges[2 * n - 1]);
    MUST(MPI_Graph_neighbors_count(graph, test_rank, &i));
    EQUAL("neighbours", 2, i);
    MUST(MPI_Graph_neighbors(graph, (test_rank + 1) % n, 2, got));
    EQUAL("neighbour's neighbour", (test_rank + 2) % n, got[0]);
    EQUAL("neighbour's neighbour", test_rank, got[1]);
    MUST(MPI_Comm_free(&graph));

    STEP("distributed: everybody names its successor's edge");
    source = (test_rank + 1) % n, target = (test_rank + 2) % n, weight = 100 + test_rank;
    MUST(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, &target, &weight, MPI_INFO_NULL, 0, &graph));
    MUST(MPI_Topo_test(graph, &i));
    EQUAL("topology", MPI_DIST_GRAPH, i);
    MUST(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    EQUAL("in", 1, in);
    EQUAL("out", 1, out);
    EQUAL("weighted", 1, !!weighted);
    MUST(MPI_Dist_graph_neighbors(graph, 4, sources, in_weights, 4, targets, out_weights));
    EQUAL("source", (test_rank + n - 1) % n, sources[0]);
    EQUAL("target", (test_rank + 1) % n, targets[0]);
    EQUAL("weight of my edge", 100 + (test_rank + n - 1) % n, out_weights[0]);
    EQUAL("weight of the edge to me", 100 + (test_rank + 2 * n - 2) % n, in_weights[0]);
    MUST(MPI_Comm_free(&graph));

    STEP("adjacent, with weights");
    got[0] = (test_rank + 1) % n, got[1] = (test_rank + n - 1) % n;
    weights[0] = 1, weights[1] = 2;
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, got, weights, 2, got, weights, MPI_INFO_NULL, 0, &graph));
    MUST(MPI_Dist_graph_neighbors(graph, 2, sources, in_weights, 2, targets, out_weights));
    for (i = 0; i < 2; i++) {
        EQUAL("source", got[i], sources[i]);
        EQUAL("target", got[i], targets[i]);
        EQUAL("weight", i + 1, out_weights[i]);
    }
    MUST(MPI_Comm_free(&graph));
    free(index);
    free(edges);
    return test_finish();
}
