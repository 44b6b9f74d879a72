import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Worker processes, a number of them at any time: who dies is replaced at once. */
export class Fleet implements AsyncDisposable {
  readonly #env: NodeJS.ProcessEnv
  readonly #working = new Map<string, ChildProcess>()
  #started = 0
  #closing = false

  constructor(size: number, env: NodeJS.ProcessEnv) {
    this.#env = env
    for (let n = 0; n < size; n++) this.#start()
  }

  /** Kills a worker as a power cut would; false when it is gone already. */
  kill(name: string): boolean {
    const worker = this.#working.get(name)
    if (!worker?.kill('SIGKILL')) return false
    this.#working.delete(name)
    this.#start()
    return true
  }

  #start() {
    const name = `worker-${++this.#started}`
    const worker = spawn(process.execPath, ['workers/main.ts'], {
      env: { ...this.#env, PROCESS_NAME: name },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    this.#working.set(name, worker)
    worker.once('exit', (code, signal) => {
      this.#working.delete(name)
      if (this.#closing || signal === 'SIGKILL') return
      // Nobody asked it to: that is a fault of the service, and the run shall say so.
      console.error(`${name} ended by itself (${signal ?? code})`)
      this.#start()
    })
  }

  async [Symbol.asyncDispose]() {
    this.#closing = true
    const ended = [...this.#working.values()].map((worker) => {
      worker.kill('SIGKILL')
      return worker.exitCode === null && worker.signalCode === null ? once(worker, 'exit') : undefined
    })
    await Promise.all(ended)
  }
}
