import type { VariantCells } from '#shared/catalog/import/rows/read-variant-cells.ts'
import type { VariantRow } from '#shared/catalog/import/rows/rows.ts'
import { optionValue } from '#shared/catalog/variant.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { type RowNote, rowFault, rowWarning } from '#shared/imports/file/row-note.ts'
import type { ClaimedSku } from './known-catalog.ts'
import type { OptionNames } from './plan-options.ts'
import type { ProductContext } from './product-context.ts'
import type { Choice } from './read-choice.ts'

/** The product of the rows, and what its earlier rows and existing variants have. */
export interface VariantsContext extends ProductContext {
  /** The existing variants by the combination of their option values. */
  byChoice: ReadonlyMap<string, VariantRow>
  /** The lines of the product's earlier rows by SKU. */
  lineOfSku: ReadonlyMap<string, number>
}

/** The SKU of a row and its existing variant; null for a new one. */
interface VariantMatch {
  sku: string
  before: VariantRow | null
  warning?: RowNote
}

/**
 * Finds the existing variant of a row by its SKU, or else by its options. Returns faults if another row or product has
 * the SKU.
 */
export function matchVariant(
  line: number,
  cells: VariantCells,
  choice: Choice,
  context: VariantsContext,
): VariantMatch | { faults: RowNote[] } {
  const { known, productId, header } = context
  const found =
    cells.sku === null ? context.byChoice.get(combination(choice, context.names)) : known.bySku.get(cells.sku)
  const sku = cells.sku ?? found?.sku ?? cells.generatedSku()
  const existing = found ?? known.bySku.get(sku)
  const claim = claimOf(sku, context)
  const inOtherProduct = existing !== undefined && existing.productId !== productId
  if (!claim && !inOtherProduct) return { sku, before: existing ?? null }

  const field = columnNameIn(header, 'sku')
  if (context.renamesDuplicates && cells.sku !== null) {
    const renamed = cells.generatedSku()
    const warning = `Another variant has this SKU. This one got the SKU ${renamed}`
    if (!claimOf(renamed, context))
      return {
        sku: renamed,
        before: known.bySku.get(renamed) ?? null,
        warning: rowWarning(line, field, warning, sku),
      }
  }
  const message = takenMessage({ hasSku: cells.sku !== null, claim, existing }, context)
  return { faults: [rowFault(line, field, message, sku)] }
}

interface TakenSku {
  /** Whether the row has the SKU. Otherwise it was found or generated. */
  hasSku: boolean
  claim: ClaimedSku | undefined
  existing: VariantRow | undefined
}

/** Returns the message of the fault that another row or product has the SKU of a row. */
function takenMessage(
  { hasSku, claim, existing }: TakenSku,
  { known, slug, productId }: VariantsContext,
): string {
  if (claim && claim.slug !== slug)
    return `Line ${claim.line} gives this SKU to the product "${claim.slug}". ${ADVICE}`
  if (existing && existing.productId !== productId)
    return `The product "${known.slugs.get(existing.productId)}" has this SKU. ${ADVICE}`
  return hasSku
    ? `Line ${claim?.line} has this SKU already. ${ADVICE}`
    : `Line ${claim?.line} is about the same variant. Remove one of the rows`
}

/** Returns the earlier row of the file that has a SKU; undefined without one. */
function claimOf(sku: string, { known, slug, lineOfSku }: VariantsContext): ClaimedSku | undefined {
  const line = lineOfSku.get(sku)
  return line === undefined ? known.claimedSkus.get(sku) : { slug, line }
}

const ADVICE =
  'Give each variant a SKU of its own, or import with duplicate_skus=rename to get one made for the later rows'

/**
 * Returns the existing variants by their combination; of two with the same one the first. A search through all variants
 * for each row would block the process: a file can have thousands of rows of a product with two thousand variants.
 */
export function variantsByChoice({ before, names }: ProductContext): Map<string, VariantRow> {
  const variants = [...(before?.variants ?? [])].reverse()
  return new Map(variants.map((variant) => [combination(variant.optionValues, names), variant]))
}

const combination = (choice: Choice, names: OptionNames): string =>
  JSON.stringify(names.map((name) => optionValue(choice, name ?? '')))
