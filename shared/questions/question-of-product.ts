import type { QueryBuilderType } from 'objection'
import type { Texts } from '#shared/catalog/product.ts'
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
    .join('products as p', (on) =>
      on.on('p.store_id', 'product_questions.store_id').on('p.id', 'product_questions.product_id'),
    )
    .select('product_questions.*', 'p.slug as product_slug', 'p.name_i18n as product_name_i18n')
