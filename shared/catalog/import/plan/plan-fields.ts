import type { TranslatedColumn } from '#shared/catalog/import/own-format/columns.ts'
import type { ProductCells } from '#shared/catalog/import/rows/read-product-cells.ts'
import type { ProductRow } from '#shared/catalog/import/rows/rows.ts'
import type { Texts } from '#shared/platform/text.ts'

/** Returns the product fields of the file. Blank cells keep the existing values. */
export function planFields(cells: ProductCells, base: ProductRow, language: string): Partial<ProductRow> {
  const texts = (column: TranslatedColumn, before: Texts | undefined, text: string | null): Texts => {
    const own = withText(before ?? {}, language, text)
    const translated = cells.translations.filter((one) => one.column === column)
    return { ...own, ...Object.fromEntries(translated.map((one) => [one.language, one.text])) }
  }
  const title = texts('seo_title', base.seo.title_i18n, cells.seoTitle)
  const description = texts('seo_description', base.seo.description_i18n, cells.seoDescription)
  return {
    nameI18n: texts('name', base.nameI18n, cells.name),
    descriptionI18n: texts('description', base.descriptionI18n, cells.description),
    seo: {
      ...base.seo,
      ...(Object.keys(title).length ? { title_i18n: title } : {}),
      ...(Object.keys(description).length ? { description_i18n: description } : {}),
    },
    tags: cells.tags ?? base.tags,
    isActive: cells.isActive ?? base.isActive,
  }
}

/**
 * Adds a text in the default language. For a product without such a text, an export writes that of another language:
 * nothing is added if the file has the same text.
 */
const withText = (texts: Texts, language: string, text: string | null): Texts =>
  text === null || (texts[language] === undefined && Object.values(texts).includes(text))
    ? texts
    : { ...texts, [language]: text }
