import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const SCRIPT = `
import { openSync } from 'node:fs'
import { renderBodies } from '#shared/content-pages/render-bodies.ts'
import { makeFiles } from '#workers/images/make-files.ts'
try {
  for (;;) openSync('/dev/null')
} catch {}
await renderBodies('store', { en: 'text' }).catch(({ code }) => console.log('page', code))
await makeFiles(Buffer.alloc(8), { contentType: 'image/png', storeId: 'store' }).catch(({ code }) =>
  console.log('image', code),
)
console.log('runs on')
`

test('a process without free file descriptors runs on: a page or an image fails', async () => {
  const command = `ulimit -n 100 && exec "${process.execPath}" --input-type=module --eval "$SCRIPT"`

  // In a group of its own: to kill a process that was never started would kill the whole group.
  const child = spawn('sh', ['-c', command], { env: { ...process.env, SCRIPT }, detached: true })

  assert.equal(await text(child.stdout), 'page EMFILE\nimage EMFILE\nruns on\n')
})
