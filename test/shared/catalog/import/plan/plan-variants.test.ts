import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planVariants } from '#shared/catalog/import/plan/plan-variants.ts'

type Rows = Parameters<typeof planVariants>[0]
type Context = Parameters<typeof planVariants>[1]

const NAMES = Array.from({ length: 10 }, (_, place) => `option ${place}`)
const choiceOf = (value: string) => Object.fromEntries(NAMES.map((name) => [name, `${name} ${value}`]))

const rowsOf = (values: string[]) =>
  values.map((value, line) => ({
    line,
    variant: {
      sku: null,
      generatedSku: () => `sku-${value}`,
      optionValues: Object.values(choiceOf(value)),
      prices: { priceMinor: 900n },
    },
  })) as unknown as Rows

const contextOf = (values: string[]) =>
  ({
    productId: 'p',
    slug: 'cup',
    before: {
      product: { priceMinor: 900n },
      variants: values.map((value, position) => ({
        id: value,
        sku: `own-${value}`,
        productId: 'p',
        position,
        optionValues: choiceOf(value),
      })),
    },
    names: NAMES,
    known: { bySku: new Map(), claimedSkus: new Map(), slugs: new Map() },
    header: { at: {}, names: [] },
    renamesDuplicates: false,
    at: new Date('2026-11-20T09:00:00Z'),
  }) as unknown as Context

test('a row without a SKU is the existing variant with its options', () => {
  const { variants } = planVariants(rowsOf(['1', 'new']), contextOf(['0', '1']))

  assert.deepEqual(
    variants.map(({ before, variant }) => [before?.id, variant.sku]),
    [
      ['1', 'own-1'],
      [undefined, 'sku-new'],
    ],
  )
})

test('a new variant is created at the time of the plan', () => {
  const context = contextOf([])
  const { variants } = planVariants(rowsOf(['new']), context)

  assert.deepEqual(
    variants.map(({ variant }) => variant.createdAt),
    [context.at],
  )
})
