import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { endpoints } from '#api/endpoints.ts'
import { declaredErrors } from '#shared/platform/errors.ts'

async function sources(): Promise<{ file: string; source: string }[]> {
  const found: { file: string; source: string }[] = []
  for await (const file of glob('{api,workers,shared}/**/*.ts'))
    found.push({ file, source: await readFile(file, 'utf8') })
  return found
}

test('one code has one status and one text', async () => {
  for await (const file of glob('{shared,api}/**/errors.ts')) await import(`../../${file}`)
  const seen = new Map<string, string>()
  const torn: string[] = []
  for (const { kind } of declaredErrors()) {
    const before = seen.get(kind.code)
    const now = `${kind.status}`
    if (before && before !== now) torn.push(kind.code)
    seen.set(kind.code, now)
  }
  assert.deepEqual(torn, [])
})

test('every declared error is raised somewhere', async () => {
  const all = await sources()
  const unused: string[] = []
  for (const { file, source } of all.filter((s) => /\/errors\.ts$/.test(s.file))) {
    for (const [, family = '', body = ''] of source.matchAll(
      /export const (\w+) = defineErrors\(\{([\s\S]*?)\n\}\)/g,
    ))
      for (const [, name = ''] of body.matchAll(/^ {2}(\w+): \{/gm)) {
        const use = new RegExp(`${family}\\.${name}\\b(?!\\.kind)`)
        const raised = all.some((s) => s.file !== file && use.test(s.source))
        if (!raised) unused.push(`${family}.${name}`)
      }
  }
  assert.deepEqual(unused, [])
})

test('operations list errors that are declared, each once', () => {
  const declared = new Set(declaredErrors())
  for (const { method, path, errors } of endpoints) {
    const codes = errors.map(({ kind }) => kind.code)
    assert.ok(
      errors.every((error) => declared.has(error)),
      `${method} ${path}`,
    )
    assert.equal(new Set(codes).size, codes.length, `${method} ${path} lists an error twice`)
  }
})

test('what a path names can be missing, and every operation with such a path lists how it says so', () => {
  const silent = endpoints.filter(
    ({ path, errors, access }) =>
      path.includes('/:') && ![...errors, ...access.errors].some(({ kind }) => kind.status === 404),
  )
  assert.deepEqual(
    silent.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

test('every error says what to do, in a sentence', () => {
  for (const { kind } of declaredErrors()) {
    const text = typeof kind.message === 'function' ? kind.message({}) : kind.message
    assert.match(text, /^[A-Z].{15,}[.!?]$/s, kind.code)
  }
})
