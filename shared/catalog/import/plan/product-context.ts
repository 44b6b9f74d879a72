import type { Header } from '#shared/catalog/import/own-format/columns.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import type { OptionNames } from './plan-options.ts'

/** What planning the variants of one imported product needs. */
export interface ProductContext {
  productId: string
  slug: string
  before: KnownProduct | null
  names: OptionNames
  known: KnownCatalog
  header: Header
  /** Whether a SKU that another row or product has is replaced by one derived from it. */
  renamesDuplicates: boolean
  /** The time of the plan: sales start at it, and new variants are created at it. */
  at: Date
}
