import '#test/support/database.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { untilAnswers } from '#test/sandbox/start/answers.ts'
import { freePort } from '#test/sandbox/start/ports.ts'

// A busy machine takes a minute.
const READY_WITHIN_MS = 180_000

interface Ending {
  after(end: () => Promise<void>): void
}

/**
 * Starts a web process on this process's database until the end of the file (with the context of a test: of that).
 * Returns its URL.
 */
export async function startWebProcess(
  env: Record<string, string> = {},
  ending: Ending = { after },
): Promise<string> {
  const port = await freePort(0)
  // The web process must verify the hashes of this process.
  const hashes = import.meta.resolve('#test/support/runner/cheap-hashes.ts')
  const child = spawn(process.execPath, ['--import', hashes, 'api/server.ts'], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  ending.after(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(`${url}/health/ready`, READY_WITHIN_MS)
  return url
}
