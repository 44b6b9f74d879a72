import type { QueryBuilderType } from 'objection'
import { joinProducts, type Texts } from '#shared/catalog/product.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Question } from './question.ts'

/** A question with the product it is about. */
export class QuestionWithProduct extends Question {
  declare productSlug: string
  declare productNameI18n: Texts
}

/** The store's questions beside their products, the deleted ones too. */
export const questionsWithProducts = (tx: StoreTx): QueryBuilderType<QuestionWithProduct> =>
  QuestionWithProduct.in(tx)
    .join(...joinProducts(Question.tableName))
    .select('product_questions.*', 'p.slug as product_slug', 'p.name_i18n as product_name_i18n')
