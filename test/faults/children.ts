import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { commandOf } from '#test/sandbox/start/procfile.ts'

const running = new Set<ChildProcess>()

const killAll = () => {
  for (const child of running) child.kill('SIGKILL')
}
process.once('exit', killAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Starts a process of the service as in production. It ends when this process ends, except by SIGKILL. */
export function startChild(name: 'web' | 'worker', options: SpawnOptions): ChildProcess {
  const { args, env } = commandOf(name)
  const child = spawn(process.execPath, args, { ...options, env: { ...env, ...options.env } })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}
