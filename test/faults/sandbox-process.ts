import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** The environment of `npm start` in a folder. */
export const sandboxEnvironment = (dir: string, port: number): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(DATABASE_|LOG_LEVEL|NODE_ENV|NODE_TEST)/.test(name),
  )
  return { ...Object.fromEntries(own), SANDBOX_DIR: dir, PORT: String(port) }
}

/**
 * Runs what `npm start` runs, in its own folder and on its own ports. Resolves when it prints that it is ready; `lines`
 * receives what it printed.
 */
export async function startSandbox(dir: string, port: number, lines: string[] = []): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['test/sandbox/start.ts'], {
    env: sandboxEnvironment(dir, port),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.includes('Ctrl-C')) return child
  }
  throw new Error(`npm start ended early:\n${lines.join('\n')}`)
}

/** Stops it as Ctrl-C does. */
export async function stopSandbox(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  const [code] = await exited
  assert.equal(code, 0, 'a stopped sandbox ends cleanly')
}
