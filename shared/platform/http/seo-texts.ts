import { Type } from 'typebox'
import { I18nText, Shape } from './schema.ts'

/** The title and the description of a page for search engines. */
export const SeoTexts = Shape({
  title_i18n: Type.Optional(I18nText(300)),
  description_i18n: Type.Optional(I18nText(1_000)),
})
