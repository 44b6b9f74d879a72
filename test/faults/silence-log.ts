// Hundreds of killed processes log nothing new. Import this before any module that opens the log.
process.env.LOG_LEVEL ??= 'silent'
