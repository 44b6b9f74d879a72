import { Product } from '#shared/catalog/product.ts'
import { findCustomer } from '#shared/customers/find-customer.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { emit } from '#shared/platform/events/events.ts'
import { pickText } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type Fault, ValidationError } from '#shared/platform/validation.ts'
import type { Store } from '#shared/stores/store.ts'
import { questionCreated } from './events.ts'
import { questionAskedMail } from './mails.ts'
import { Question } from './question.ts'
import { QuestionWithProduct } from './question-of-product.ts'
import { viewQuestion } from './view.ts'

export interface NewQuestion {
  authorName?: string
  authorEmail?: string
  body: string
}

/** Null: a guest. */
interface Asker {
  customerId: string | null
  /** BCP 47: what the asker reads. */
  language: string
}

/**
 * Asks about a published product; the question waits for a decision, and the store is told by mail. A customer is
 * answered at the address of their account; a guest gives name and address, else 422. Throws `resource.not_found`.
 */
export async function askQuestion(
  tx: StoreTx,
  store: Store,
  slug: string,
  { customerId, language }: Asker,
  given: NewQuestion,
): Promise<Question> {
  const product = await Product.in(tx).findOne({ slug, is_active: true, deleted_at: null })
  if (!product) throw CommonErrors.notFound()
  const author = customerId ? await asCustomer(tx, customerId, given) : asGuest(given)
  const at = now()
  const question = Object.assign(new Question(), {
    ...author,
    id: newId(),
    productId: product.id,
    customerId,
    language,
    body: given.body,
    status: 'pending',
    answerBody: null,
    answeredAt: null,
    answerMailedAt: null,
    createdAt: at,
    updatedAt: at,
  } as const)
  await Question.in(tx).insert(question)
  await tell(tx, store, question, product)
  return question
}

type Author = Pick<Question, 'authorName' | 'authorEmail'>

async function asCustomer(tx: StoreTx, id: string, { authorName }: NewQuestion): Promise<Author> {
  const { firstname, email } = await findCustomer(tx, id)
  return { authorName: authorName ?? firstname, authorEmail: email }
}

function asGuest({ authorName, authorEmail }: NewQuestion): Author {
  if (authorName !== undefined && authorEmail !== undefined) return { authorName, authorEmail }
  const missing = (field: string): Fault => ({ loc: [field], msg: 'Field required', type: 'missing' })
  throw new ValidationError([
    ...(authorName === undefined ? [missing('author_name')] : []),
    ...(authorEmail === undefined ? [missing('author_email')] : []),
  ])
}

async function tell(tx: StoreTx, store: Store, question: Question, product: Product): Promise<void> {
  const { slug: productSlug, nameI18n: productNameI18n } = product
  const whole = Object.assign(new QuestionWithProduct(), question, { productSlug, productNameI18n })
  await emit(tx, questionCreated, viewQuestion(whole, store))
  await queueMail(
    tx,
    questionAskedMail,
    { email: store.email, language: null },
    {
      product: pickText(productNameI18n, store.defaultLanguage, store.defaultLanguage),
      author: question.authorName,
      question: question.body,
    },
  )
}
