import { createInterface } from 'node:readline'

// Reads process ids from stdin; a negative id means that the process has ended. When stdin closes, ends the remaining
// processes, so that a killed starter leaves none behind.
const pids = new Set<number>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line)
  if (pid > 0) pids.add(pid)
  else pids.delete(-pid)
}
for (const pid of pids) {
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
