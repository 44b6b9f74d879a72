import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { endpoints } from '#api/endpoints.ts'
import {
  type DeclaredError,
  declaredErrors,
  describeMessage,
  type ErrorKind,
} from '#shared/platform/errors.ts'

async function sources(): Promise<{ file: string; source: string }[]> {
  const found: { file: string; source: string }[] = []
  for await (const file of glob('{api,workers,shared}/**/*.ts'))
    found.push({ file, source: await readFile(file, 'utf8') })
  return found
}

// The status is the same; what the client can do next is not.
const TEXT_DEPENDS_ON_CALLER = [
  'auth.email_taken',
  'auth.not_authenticated',
  'auth.session_revoked',
  'auth.token_expired',
  'rate_limit.exceeded',
  'resource.not_found',
  'user.owner_protected',
]

const DECLARES_ERRORS = /\bdefineErrors\(\{/

async function declaredByCode(): Promise<Map<string, ErrorKind[]>> {
  for (const { file, source } of await sources())
    if (DECLARES_ERRORS.test(source)) await import(`../../${file}`)
  const kinds = declaredErrors().map(({ kind }) => kind)
  return Map.groupBy(kinds, ({ code }) => code)
}

const codesThatVaryIn = (byCode: Map<string, ErrorKind[]>, property: 'status' | 'message'): string[] =>
  [...byCode]
    .filter(([, kinds]) => new Set(kinds.map((kind) => String(kind[property]))).size > 1)
    .map(([code]) => code)
    .sort()

test('errors are declared in files of that name', async () => {
  const elsewhere = (await sources())
    .filter(({ file, source }) => DECLARES_ERRORS.test(source) && !file.endsWith('/errors.ts'))
    .map(({ file }) => file)
  assert.deepEqual(elsewhere, [])
})

test('a code is declared in one place', async () => {
  const places = (await sources()).flatMap(({ file, source }) =>
    [...source.matchAll(/\bcode: '([a-z_]+\.[a-z_]+)',\n? *status: \d+/g)].map(([, code = '']) => ({
      code,
      file,
    })),
  )
  const repeated = [...Map.groupBy(places, ({ code }) => code)]
    .filter(([, found]) => found.length > 1)
    .map(([code, found]) => `${code}: ${found.map(({ file }) => file).join(', ')}`)
  assert.ok(places.length > 100)
  assert.deepEqual(repeated, [], 'declare it once, and give it another text by withAdvice')
})

test("an error's key is the end of its code, or a special case of an error whose key is", async () => {
  const endOfCode = (key: string, code: string): boolean =>
    code.replaceAll('.', '_').endsWith(key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const errors: { name: string; code: string; isEnd: boolean }[] = []
  for (const { file, source } of await sources()) {
    if (!DECLARES_ERRORS.test(source)) continue
    for (const [group, value] of Object.entries((await import(`../../${file}`)) as object))
      for (const [key, factory] of Object.entries(value as Record<string, Partial<DeclaredError>>)) {
        const code = factory.kind?.code
        if (code && !Array.isArray(value))
          errors.push({ name: `${group}.${key}`, code, isEnd: endOfCode(key, code) })
      }
  }
  assert.ok(errors.length > 200)
  const namedByCode = new Set(errors.filter(({ isEnd }) => isEnd).map(({ code }) => code))
  assert.deepEqual(
    errors.filter(({ code }) => !namedByCode.has(code)),
    [],
  )
})

test('one code has one status', async () => {
  assert.deepEqual(codesThatVaryIn(await declaredByCode(), 'status'), [])
})

test('each code has one message, except codes whose advice depends on the caller', async () => {
  assert.deepEqual(codesThatVaryIn(await declaredByCode(), 'message'), TEXT_DEPENDS_ON_CALLER)
})

/** Blanks the lists of errors: `errors: [A.b]` of an operation, and constants such as `COUPON_REFUSALS = [A.b]`. */
const withoutLists = (source: string): string =>
  source.replace(/(?<=\b(?:errors:|[A-Z_]+(?:: [^=]+)? =) )\[[^\]]*\]/g, '[]')

test('every declared error is raised somewhere, besides being listed', async () => {
  const all = (await sources()).map(({ source }) => ({ source: withoutLists(source) }))
  const unused: string[] = []
  for (const { source } of all.filter(({ source }) => DECLARES_ERRORS.test(source))) {
    for (const [, family = '', body = ''] of source.matchAll(
      /export const (\w+) = defineErrors\(\{([\s\S]*?)\n\}\)/g,
    ))
      for (const [, name = ''] of body.matchAll(/^ {2}(\w+): (?:\{|withAdvice\()/gm)) {
        const use = new RegExp(`${family}\\.${name}\\b(?!\\.kind)`)
        const raised = all.some((s) => use.test(s.source.replace(body, '')))
        if (!raised) unused.push(`${family}.${name}`)
      }
  }
  assert.deepEqual(unused, [])
})

test('every operation lists declared errors, each once', () => {
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

test('every operation with a path parameter lists a 404 error', () => {
  const unlisted = endpoints.filter(
    ({ path, errors, access }) =>
      path.includes('/:') && ![...errors, ...access.errors].some(({ kind }) => kind.status === 404),
  )
  assert.deepEqual(
    unlisted.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

test('every error text is a sentence', () => {
  for (const { kind } of declaredErrors()) {
    const text = describeMessage(kind)
    assert.match(text, /^[A-Z<].{15,}[.!?]$/s, kind.code)
  }
})
