import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClockMoved } from '#test/sandbox/clock/follow.ts'

/** The module that makes a process follow the sandbox's clock. */
export const FOLLOW = import.meta.resolve('../clock/follow.ts')
const FOLLOW_MS = 30_000
const RESTART_MS = 500
const STOP_MS = 30_000

/** The sandbox's processes. A process that dies is restarted, as a platform does; each writes its own log. */
export class Processes {
  readonly #logs: string
  readonly #running = new Map<string, ChildProcess>()
  readonly #guard: ChildProcess
  #stopping = false

  constructor(dir: string) {
    this.#logs = join(dir, 'logs')
    this.#guard = spawn(process.execPath, [join(import.meta.dirname, 'guard.ts')], {
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true,
    })
    this.#guard.unref()
  }

  /** `args` are Node's: flags and a file. The process follows the sandbox's clock. */
  async start(name: string, args: string[], env: Record<string, string>): Promise<void> {
    await mkdir(this.#logs, { recursive: true })
    const log = createWriteStream(join(this.#logs, `${name}.log`), { flags: 'a' })
    const run = () => {
      const child = spawn(process.execPath, ['--import', FOLLOW, ...args], {
        env: { ...process.env, ...env, PROCESS_NAME: name },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // A separate process group: Ctrl-C reaches only the starter, which stops the others in order.
        detached: true,
      })
      child.stdout?.pipe(log, { end: false })
      child.stderr?.pipe(log, { end: false })
      child.on('exit', (code, signal) => {
        this.#guard.stdin?.write(`-${child.pid}\n`)
        if (this.#stopping) return
        console.error(
          `  ${name} ended (${signal ?? `code ${code}`}); starting it again. Its log: ${log.path}`,
        )
        setTimeout(() => !this.#stopping && run(), RESTART_MS)
      })
      this.#running.set(name, child)
      this.#guard.stdin?.write(`${child.pid}\n`)
    }
    run()
  }

  /** Resolves when each running process has the new time. One that is starting reads it from its file. */
  async moveClock(offsetMs: number): Promise<void> {
    await Promise.all([...this.#running].map(([name, child]) => moveClockOf(name, child, offsetMs)))
  }

  /** Stops the named processes in parallel and waits for them. */
  async stop(...names: string[]): Promise<void> {
    this.#stopping = true
    await Promise.all(names.map((name) => stopOne(this.#running.get(name))))
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function moveClockOf(name: string, child: ChildProcess, offsetMs: number): Promise<void> {
  if (hasEnded(child)) return
  const moved = Promise.withResolvers<void>()
  const onMessage = (answer: ClockMoved) => answer?.clock_offset_ms === offsetMs && moved.resolve()
  const onExit = () => moved.resolve()
  const late = setTimeout(
    () => moved.reject(new Error(`${name} does not follow the clock after ${FOLLOW_MS} ms`)),
    FOLLOW_MS,
  )
  child.on('message', onMessage).once('exit', onExit)
  const message: ClockMoved = { clock_offset_ms: offsetMs }
  // A send fails only when the process is ending: then its exit resolves.
  child.send(message, () => {})
  try {
    await moved.promise
  } finally {
    clearTimeout(late)
    child.off('message', onMessage).off('exit', onExit)
  }
}

async function stopOne(child: ChildProcess | undefined): Promise<void> {
  if (!child || hasEnded(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  clearTimeout(killer)
}
