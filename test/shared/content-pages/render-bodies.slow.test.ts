import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { MAX_BODY, MAX_HTML, MAX_HTML_OF_PAGE } from '#shared/content-pages/limits.ts'
import { renderBodies } from '#shared/content-pages/render-bodies.ts'
import { RENDERER } from '#shared/content-pages/renderer.ts'
import { toSafeHtml } from '#shared/content-pages/to-safe-html.ts'
import { newId } from '#shared/platform/db/id.ts'

const STORE = newId()

/** Of the slow texts of the permitted size, the one that takes longest: cells of a table. */
const HOSTILE = `a|b\n-|-\n${'|\n'.repeat(MAX_BODY / 2 - 4)}`

/** Bodies that take eight seconds on a fast machine, and yield less HTML than a page may have. */
const SLOW_PAGE = Object.fromEntries(
  Array.from({ length: 19 }, (_, n) => [`language-${n}`, '![['.repeat(MAX_BODY / 3)]),
)

/** How often the event loop turns while `work` runs. */
async function countTurns(work: () => unknown): Promise<number> {
  let [turns, isDone] = [0, false]
  const turn = () => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    isDone = true
  }
  return turns
}

test('each language is rendered', async () => {
  const rendered = await renderBodies(STORE, { en: '*a*', de: '', fr: 'b' })

  assert.deepEqual(rendered, {
    bodyI18n: { en: '*a*', de: '', fr: 'b' },
    htmlI18n: { en: '<p><em>a</em></p>\n', de: '', fr: '<p>b</p>\n' },
    renderer: RENDERER,
  })
  assert.deepEqual((await renderBodies(STORE, {})).htmlI18n, {})
})

test('a hostile body does not block the event loop', async () => {
  const turns = await countTurns(() => renderBodies(STORE, { en: HOSTILE }).catch(() => {}))
  const blocked = await countTurns(() => toSafeHtml(HOSTILE))

  assert.ok(turns > 10, `${turns} turns`)
  assert.equal(blocked, 0, 'control: rendered in this thread, it does')
})

test('a body that yields more than a million characters of HTML returns page.body_too_complex', async () => {
  const divider = '---\n\n'
  const fits = divider.repeat(100)
  const exceeds = '&'.repeat(MAX_HTML / 5 + 1)

  await renderBodies(STORE, { en: fits })
  await assert.rejects(renderBodies(STORE, { en: exceeds }), { code: 'page.body_too_complex' })
})

test('bodies that yield more than two million characters of HTML together return page.body_too_complex', async () => {
  // Few characters: each link repeats the URL of its reference.
  const links = `[a]: https://shop.example/${'x'.repeat(10_000)}\n\n${'[a] '.repeat(40)}`
  const inLanguages = (...languages: string[]) =>
    Object.fromEntries(languages.map((language) => [language, links]))

  const { htmlI18n } = await renderBodies(STORE, inLanguages('en', 'de', 'fr', 'es'))
  const refused = renderBodies(STORE, inLanguages('en', 'de', 'fr', 'es', 'it'))

  assert.ok((htmlI18n.en ?? '').length > MAX_HTML_OF_PAGE / 5)
  await assert.rejects(refused, { code: 'page.body_too_complex' })
})

test('a body that takes more memory than the renderer has returns page.body_too_complex', async () => {
  const large = `${'a|'.repeat(1_000)}\n${'-|'.repeat(1_000)}\n${'x\n'.repeat(60_000)}`.repeat(6)

  await assert.rejects(renderBodies(STORE, { en: large }), { code: 'page.body_too_complex' })
})

test('bodies that are rendered for longer than the time limit return page.body_too_complex', async () => {
  await assert.rejects(renderBodies(STORE, SLOW_PAGE), { code: 'page.body_too_complex' })
})

test('while one store renders more pages than may wait, a page of another is rendered in its turn', async () => {
  const order: string[] = []
  const flooding = newId()
  const note = (name: string) => () => void order.push(name)

  const flood = Array.from({ length: 12 }, () =>
    renderBodies(flooding, { en: 'x' }).then(note('flood'), note('refused')),
  )
  const other = renderBodies(newId(), { en: 'x' }).then(note('other'))
  await Promise.all([...flood, other])

  const rendered = order.filter((name) => name !== 'refused')
  // One rendering is under way. The store that had its turn lets the other go first.
  assert.equal(rendered.indexOf('other'), 1, rendered.join())
  assert.equal(order.filter((name) => name === 'refused').length, 4)
})

test('hostile pages of one store delay a page of another by no rendering once one of them was slow', async () => {
  const attacker = newId()
  const attack = () => assert.rejects(renderBodies(attacker, SLOW_PAGE), { code: 'page.body_too_complex' })
  await attack()
  const order: string[] = []

  const attacks = [attack(), attack()].map((ended) => ended.then(() => void order.push('hostile')))
  for (let n = 0; n < 3; n++) await renderBodies(newId(), { en: 'x' }).then(() => order.push('other'))
  await Promise.all(attacks)

  assert.deepEqual(order, ['other', 'other', 'other', 'hostile', 'hostile'])
})

test('the renderer names the versions of its libraries', async () => {
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'))

  for (const name of ['markdown-it', 'sanitize-html'])
    assert.ok(RENDERER.includes(`${name} ${dependencies[name]},`), name)
})
