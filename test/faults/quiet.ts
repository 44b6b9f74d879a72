// Processes that die by the hundred have nothing new to log. Imported before whatever opens the log.
process.env.LOG_LEVEL ??= 'silent'
