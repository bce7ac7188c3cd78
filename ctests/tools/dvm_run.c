/* dvm_run URI PROCESSES PROGRAM ARGUMENT...: has the servers of PRRTE at URI, which run already, start a program, as
 * PRRTE's prun does, which Open MPI's Python package lacks. It shows the output, and ends with the job's exit status
 * or 1. */
#include <pmix_tool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* The end of a job. */
struct end {
    char job[PMIX_MAX_NSLEN + 1];
    int code;
};

static int ends[2];

/* Jobs end: also others, of which the server tells whoever comes later. */
static void event(size_t handler, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[], size_t ninfo,
                  pmix_info_t *results, size_t nresults, pmix_event_notification_cbfunc_fn_t done, void *data)
{
    struct end end = {0};
    (void)handler, (void)status, (void)source, (void)results, (void)nresults;
    for (size_t i = 0; i < ninfo; i++) {
        if (PMIX_CHECK_KEY(&info[i], PMIX_JOB_TERM_STATUS))
            end.code = info[i].value.data.status;
        else if (PMIX_CHECK_KEY(&info[i], PMIX_EVENT_AFFECTED_PROC))
            strcpy(end.job, info[i].value.data.proc->nspace);
    }
    if (write(ends[1], &end, sizeof end) < 0)
        perror("write");
    if (done)
        done(PMIX_SUCCESS, NULL, 0, NULL, NULL, data);
}

static int check(const char *what, pmix_status_t status)
{
    if (status >= 0 || status == PMIX_OPERATION_SUCCEEDED)
        return 0;
    fprintf(stderr, "%s: %s\n", what, PMIx_Error_string(status));
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 4 || pipe(ends)) {
        fprintf(stderr, "usage: dvm_run URI PROCESSES PROGRAM ARGUMENT...\n");
        return 2;
    }
    alarm(60);
    pmix_proc_t me;
    pmix_info_t at, how[4];
    PMIX_INFO_LOAD(&at, PMIX_SERVER_URI, argv[1], PMIX_STRING);
    if (check("PMIx_tool_init", PMIx_tool_init(&me, &at, 1)))
        return 1;
    pmix_status_t code = PMIX_EVENT_JOB_END;
    if (check("PMIx_Register_event_handler", PMIx_Register_event_handler(&code, 1, NULL, 0, event, NULL, NULL)))
        return 1;
    bool yes = true;
    PMIX_INFO_LOAD(&how[0], PMIX_NOTIFY_COMPLETION, &yes, PMIX_BOOL);
    PMIX_INFO_LOAD(&how[1], PMIX_FWD_STDOUT, &yes, PMIX_BOOL);
    PMIX_INFO_LOAD(&how[2], PMIX_FWD_STDERR, &yes, PMIX_BOOL);
    PMIX_INFO_LOAD(&how[3], PMIX_MAPBY, "slot:oversubscribe", PMIX_STRING);
    pmix_app_t app;
    PMIX_APP_CONSTRUCT(&app);
    char directory[4096];
    app.cmd = argv[3];
    app.argv = argv + 3;
    app.env = environ;
    app.cwd = getcwd(directory, sizeof directory);
    app.maxprocs = atoi(argv[2]);
    char job[PMIX_MAX_NSLEN + 1];
    if (check("PMIx_Spawn", PMIx_Spawn(how, 4, &app, 1, job)))
        return 1;
    struct end end;
    do {
        if (read(ends[0], &end, sizeof end) != sizeof end)
            return 1;
    } while (strcmp(end.job, job));
    PMIx_tool_finalize();
    return end.code < 0 ? 1 : end.code;
}
