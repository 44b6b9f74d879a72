import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { test } from 'node:test'
import { blankComments } from '#test/rules/support/source-text.ts'
import { readSources } from '#test/rules/support/sources.ts'

const EXPORTED_TYPE = /^export (?:declare |abstract )*(?:interface|type|class) (\w+)/gm

const exportedTypes = (text: string): Set<string> =>
  new Set([...text.matchAll(EXPORTED_TYPE)].map(([, name = '']) => name))

/** The names of exported schemas, which begin with a capital letter as types do. */
const exportedSchemas = (text: string): string[] =>
  [...text.matchAll(/^export const ([A-Z][a-z]\w*) =/gm)].map(([, name = '']) => name)

test('control: the rule reads the names of exported types, interfaces and classes', () => {
  const code =
    'export interface Place {}\nexport type Right = string\nexport abstract class Job {}\ninterface Own {}\n'
  assert.deepEqual([...exportedTypes(code)], ['Place', 'Right', 'Job'])
})

test('an exported type or schema has a name of its own', async () => {
  const files = new Map<string, string[]>()
  for (const folder of ['shared', 'api', 'workers'])
    for (const { path, text } of await readSources(folder))
      for (const name of folder === 'api'
        ? [...exportedTypes(text), ...exportedSchemas(text)]
        : exportedTypes(text))
        if (!files.get(name)?.includes(path)) files.set(name, [...(files.get(name) ?? []), path])
  const reused = [...files].filter(([, paths]) => paths.length > 1)
  assert.deepEqual(Object.fromEntries(reused), {})
})

/** The functions that each PATCH operation calls. An alias counts by its original name. */
function callsOfUpdates(text: string): Map<string, string[]> {
  const originals = new Map<string, string>()
  for (const [, list = ''] of text.matchAll(/^import \{([^}]*)\}/gm))
    for (const [, name = '', alias = name] of list.matchAll(/(\w+)(?: as (\w+))?/g))
      originals.set(alias, name)
  const blocks = text.matchAll(
    /^(?:export const (\w+) = |\s+)(?:endpoint\(\{\n\s+method: 'patch'|\w+\.update\(\{)[\s\S]*?^(?: {4})?\}\)/gm,
  )
  return new Map(
    [...blocks].map(([block, name = 'update']) => [
      name,
      [...block.matchAll(/(?<![.\w])(\w+)\(/g)].map(([, call = '']) => originals.get(call) ?? call),
    ]),
  )
}

test('control: the rule finds the calls of PATCH operations', () => {
  const code = `import { changeRate as change } from '#shared/rate.ts'
export const patchRate = endpoint({
  method: 'patch',
  handle: ({ tx }) => change(tx),
})
export const updateClass = classes.update({
  handle: ({ tx }) => updateTaxClass(tx),
})
`
  const calls = Object.fromEntries(callsOfUpdates(code))
  assert.deepEqual(calls, { patchRate: ['endpoint', 'changeRate'], updateClass: ['updateTaxClass'] })
})

test('a PATCH operation is named update and calls an update', async () => {
  const operations = (await readSources('api')).flatMap(({ path, text }) =>
    [...callsOfUpdates(text)].map(([name, calls]) => ({ path, name, calls })),
  )
  const isUpdate = (name: string) => /^update(?:[A-Z]|$)/.test(name)
  const wrong = operations.filter(({ name, calls }) => !isUpdate(name) || !calls.some(isUpdate))
  assert.deepEqual(wrong, [])
  assert.ok(operations.length > 30, 'the rule finds the operations')
})

/** The views that a file declares without a view or the properties of a view from elsewhere. */
const ownViews = (text: string): string[] =>
  [...text.matchAll(/^(?:export )?const (\w+View) = Shape\(([\s\S]*?)\)$/gm)]
    .filter(([, , fields = '']) => !/\b\w+(?:View|Properties|\.properties)\b/.test(fields))
    .map(([, name = '']) => name)

test('control: the rule finds a view that is not composed of others', () => {
  const code = `const CountView = Shape({ count: Type.Integer() })
export const ListView = Shape({
  ...countProperties,
})
export const PairView = Shape({ left: SideView, right: SideView })
`
  assert.deepEqual(ownViews(code), ['CountView'])
})

test('the API composes views of shared and declares none of its own', async () => {
  const declared = (await readSources('api')).flatMap(({ path, text }) =>
    ownViews(text).map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(declared, [])
})

/** The verbs that begin names of files. Words that are nouns too (`list`, `record`, `refresh`) are left out. */
const VERBS = (
  'activate add adjust announce anonymize apply approve ask assert authorize await book build buy calculate call ' +
  'cancel check choose claim clear close collect compare complete compose confirm connect consume convert copy ' +
  'correct count create deactivate decide decode delete deliver describe detach disable discard divide draw ' +
  'duplicate earn emit enable encode end enqueue erase execute expire explain fail fetch fill find give handle hide ' +
  'hoist insert inspect isolate issue keep limit load lock make mark match measure merge move narrow notify omit ' +
  'open parse pause pay pick place poll prefer prepare publish purge read rebuild recalculate receive reconcile ' +
  'recover redact redeem redeliver redrive reencrypt register reject release remind remove render renew replace ' +
  'reprice rerender reserve reset resolve respond restock restore resume revoke roll rotate run save seal send ' +
  'serve settle skip split start stop summarize suspend switch sync take transfer transition undo update verify ' +
  'walk withdraw withhold write'
).split(' ')

/** Whether a file is named by a verb, and no exported function has a name that begins with the file's. */
function isNamedByUnknownVerb(path: string, text: string): boolean {
  const [verb = '', ...rest] = basename(path, '.ts').split('-')
  if (!rest.length || !VERBS.includes(verb)) return false
  const name = [verb, ...rest.map((word) => word[0]?.toUpperCase() + word.slice(1))].join('')
  return !new RegExp(`^export (?:async )?(?:function\\*?|const) ${name}`, 'm').test(text)
}

test('control: the rule finds a file whose name begins with a verb that no function of it begins with', () => {
  const code = 'export async function replacePayment(tx: StoreTx) {}\n'
  assert.ok(isNamedByUnknownVerb('shared/payments/open/renew-payment.ts', code))
  assert.ok(!isNamedByUnknownVerb('shared/payments/open/replace-payment.ts', code))
  assert.ok(!isNamedByUnknownVerb('shared/payments/payment-window.ts', code))
})

test('a file named by a verb exports a function of that name', async () => {
  const files = (await Promise.all(['shared', 'api', 'workers'].map(readSources))).flat()
  // A `read-request.ts` converts the request bodies of its folder.
  const wrong = files.filter(
    ({ path, text }) => basename(path) !== 'read-request.ts' && isNamedByUnknownVerb(path, text),
  )
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

/** The nouns of the models in a file: the name of a model, or of the file if the model's name ends with it. */
function nounsOfModels({ path, text }: { path: string; text: string }): string[] {
  const file = basename(path, '.ts')
  const models = text.matchAll(/^export class (\w+) extends (?:StoreModel|Term|NamedTerm)\b/gm)
  return [...models].map(([, name = '']) => {
    const noun = name.replace(/\B[A-Z]/g, '-$&').toLowerCase()
    return noun.endsWith(`-${file}`) ? file : noun
  })
}

const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1')

/** Whether a file is named by a verb and only the last word of a noun. `nouns` are those of the file's domain. */
function hasShortNoun(path: string, nouns: string[]): boolean {
  const [verb = '', ...words] = basename(path, '.ts')
    .replace(/-of-.*/, '')
    .split('-')
  if (verb !== 'list' && !VERBS.includes(verb)) return false
  const object = `-${words.map(singular).join('-')}`
  return (
    !nouns.some((noun) => object.endsWith(`-${noun}`)) &&
    nouns.some((noun) => noun.includes('-') && object.endsWith(noun.slice(noun.lastIndexOf('-'))))
  )
}

test('control: the rule finds a file whose name leaves out a word of a noun', () => {
  const nouns = [
    ...nounsOfModels({ path: 'shared/tax/tax-rate.ts', text: 'export class TaxRate extends StoreModel {' }),
    ...nounsOfModels({ path: 'shared/tax/place.ts', text: 'export class TaxPlace extends StoreModel {' }),
  ]
  assert.deepEqual(nouns, ['tax-rate', 'place'])
  const isShort = (name: string) => hasShortNoun(`shared/tax/${name}.ts`, nouns)
  assert.ok(['create-rate', 'list-rates', 'find-old-rates', 'delete-rates-of-store'].every(isShort))
  assert.ok(!['create-tax-rate', 'list-tax-rates', 'delete-place', 'rate-arithmetic'].some(isShort))
})

/** Files that leave out a word of a noun, and why. */
const SHORT_NOUNS = {
  'shared/content-pages/rerender-pages.ts': 'the name of a queue',
  'shared/vouchers/redemptions/undo-withdrawals.ts': 'a withdrawal is a word of money in README.md',
}

test('a file named by a verb has the whole noun of its model', async () => {
  const files = await readSources('shared')
  const domains = Map.groupBy(files, ({ path }) => path.split('/')[1])
  const short = [...domains.values()].flatMap((domain) => {
    const nouns = domain.flatMap(nounsOfModels)
    return domain.map(({ path }) => path).filter((path) => hasShortNoun(path, nouns))
  })
  assert.deepEqual(short.sort(), Object.keys(SHORT_NOUNS))
})

const declaresList = (text: string): boolean => /\bnew List\(/.test(text)

test('control: the rule finds a paged list', () => {
  assert.ok(declaresList('export const THEMES = new List({\n'))
  assert.ok(!declaresList('export class List {\n'))
})

test('each List is declared in a file whose name begins with "list-"', async () => {
  // The lists of taxonomies are parts of the taxonomies.
  const files = (await readSources('shared')).filter(
    ({ path }) => !path.startsWith('shared/catalog/taxonomy/'),
  )
  const lists = files.filter(({ text }) => declaresList(text)).map(({ path }) => path)
  assert.deepEqual(
    lists.filter((path) => !basename(path).startsWith('list-')),
    [],
  )
  assert.ok(lists.length > 30, 'the rule finds the lists')
})

/** Aliases that a reader takes for something else: the request, or a record that the function returns. */
const AMBIGUOUS = ['charge', 'enqueue', 'order', 'payment', 'refund', 'request', 'response', 'subscription']

/** The imports of verbs under another name, without need or with an ambiguous name. */
const poorAliases = (text: string): string[] =>
  [...text.matchAll(/^import \{([^}]*)\} from '#shared[^']*'\n/gm)].flatMap(([statement, list = '']) =>
    [...list.matchAll(/\b([a-z]\w*) as (\w+)/g)]
      .filter(([, name = '', alias = '']) => {
        const isNeeded = new RegExp(`\\b${name}\\b`).test(blankComments(text.replace(statement, '')))
        return alias !== 'job' && (!isNeeded || AMBIGUOUS.includes(alias))
      })
      .map(([pair]) => pair),
  )

test('control: the rule finds an alias that is ambiguous or not needed', () => {
  const code = `import { issueVoucher as issue } from '#shared/vouchers/issue-voucher.ts'
import { createTheme as create } from '#shared/vouchers/create-theme.ts'
// The operation of createTheme is elsewhere.
import { refundReturn as refund } from '#shared/returns/refund-return.ts'
export const issueVoucher = endpoint({})
export const refundReturn = endpoint({})
`
  assert.deepEqual(poorAliases(code), ['createTheme as create', 'refundReturn as refund'])
})

test('a verb is imported under another name only if an operation or a job has its name', async () => {
  const files = (await Promise.all(['api', 'workers'].map(readSources))).flat()
  const poor = files.flatMap(({ path, text }) => poorAliases(text).map((pair) => `${path}: ${pair}`))
  assert.deepEqual(poor, [])
})
