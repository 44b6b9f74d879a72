import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

const running = new Set<ChildProcess>()

const killAll = () => {
  for (const child of running) child.kill('SIGKILL')
}
process.once('exit', killAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Starts a process of the service that ends when this process ends, except by SIGKILL. */
export function startChild(file: string, options: SpawnOptions): ChildProcess {
  const child = spawn(process.execPath, [file], options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}
