import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { childOptions, type RunAs } from './run-as.ts'

/** `fast` ends sessions and writes a checkpoint; `immediate` stops without either, like a power failure. */
export type StopMode = 'fast' | 'immediate'

export type Server = { pid: number; stop(mode: StopMode): Promise<void> }

export type ServerOptions = {
  program: string
  folder: string
  settings: Record<string, string>
  runAs: RunAs
  whenOrphaned: StopMode
}

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

export class PortTaken extends Error {}

/** Runs the server until it accepts connections. Its output goes to `server.log` in the data folder. */
export async function runServer({
  program,
  folder,
  settings,
  runAs,
  whenOrphaned,
}: ServerOptions): Promise<Server> {
  const log = await open(path.join(folder, 'server.log'), 'w')
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached: Ctrl-C in the terminal goes to the caller, which stops the server after its clients.
  const child = spawn(program, ['-D', folder, ...options], {
    ...childOptions(runAs),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: environment(),
  })
  const exited = once(child, 'exit')
  exited.catch(() => undefined)
  try {
    await becomesReady(child, folder)
  } finally {
    await log.close()
  }
  const pid = child.pid as number
  const guard = guardAgainstOrphans(pid, SIGNALS[whenOrphaned], runAs)
  void exited.then(() => guard.kill('SIGKILL'))
  child.unref()
  return {
    pid,
    async stop(mode) {
      child.ref()
      child.kill(SIGNALS[mode])
      await exited
    },
  }
}

/** Without the PG… variables of the caller's shell, which would configure the server. */
function environment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && !name.startsWith('LC_'),
  )
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}

async function becomesReady(child: ChildProcess, folder: string) {
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const deadline = Date.now() + 120_000 // recovery after a crash can be slow
  while (!(await isReady(folder, child.pid))) {
    if (failure) throw failure
    if (child.exitCode !== null || child.signalCode !== null) throw await startFailure(folder)
    if (Date.now() > deadline) child.kill('SIGQUIT')
    await delay(15)
  }
}

/** The lock file has the server's process id in its first line and its status in the eighth. */
async function isReady(folder: string, pid: number | undefined) {
  const lines = (await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

async function startFailure(folder: string) {
  const log = await readFile(path.join(folder, 'server.log'), 'utf8')
  const message = `PostgreSQL did not start on ${folder}:\n${log.trim().split('\n').slice(-15).join('\n')}`
  return log.includes('could not create any TCP/IP sockets') ? new PortTaken(message) : new Error(message)
}

/** The pipe closes when this process ends, even by `kill -9`; then the shell stops the server. */
function guardAgainstOrphans(pid: number, signal: string, runAs: RunAs) {
  const script = `read _; kill -${signal.slice(3)} ${pid}`
  const guard = spawn('/bin/sh', ['-c', script], {
    ...childOptions(runAs),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.stdin.on('error', () => undefined)
  guard.unref()
  ;(guard.stdin as unknown as { unref(): void }).unref()
  return guard
}
