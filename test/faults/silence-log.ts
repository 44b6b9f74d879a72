// The tests kill hundreds of processes, whose logs repeat each other. Import this before any module that opens the log.
process.env.LOG_LEVEL ??= 'silent'
