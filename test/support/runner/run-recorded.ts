import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs sets of tests (see run.ts), whose processes append lines to the file that the environment variable names.
 * Returns the lines, and whether all tests passed.
 */
export async function runRecorded(
  variable: string,
  sets: readonly string[][],
): Promise<{ lines: ReadonlySet<string>; passed: boolean }> {
  const dir = await mkdtemp(join(tmpdir(), 'commerce-recorded-'))
  const file = join(dir, 'lines')
  await writeFile(file, '')
  try {
    let passed = true
    for (const set of sets) passed = (await runTests(set, { [variable]: file })) && passed
    return { lines: new Set((await readFile(file, 'utf8')).split('\n')), passed }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function runTests(set: readonly string[], env: Record<string, string>): Promise<boolean> {
  const tests = spawn(process.execPath, ['test/support/runner/run.ts', ...set], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = await once(tests, 'exit')
  return code === 0
}
