import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { WITH_HOOKS } from '#test/support/runner/group-files.ts'

const HOOK = /^(after|before|afterEach|beforeEach)\(/m

// Loaded by a test file of a group, it would register its hook for the tests of that file alone.
test('each support file that registers a hook is loaded before the files of a group', async () => {
  const found: string[] = []
  for await (const file of glob('test/support/**/*.ts'))
    if (HOOK.test(await readFile(file, 'utf8'))) found.push(file)

  assert.deepEqual(found.sort(), WITH_HOOKS)
})
