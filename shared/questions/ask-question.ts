import { Product } from '#shared/catalog/product.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { queueNotice } from '#shared/mail/queue-mail.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { emit } from '#shared/platform/events/events.ts'
import { pickText } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { missing, ValidationError } from '#shared/platform/validation.ts'
import { questionAskedMail } from '#shared/questions/mails/asked.ts'
import type { Store } from '#shared/stores/store.ts'
import { questionCreated } from './events.ts'
import { Question, QuestionWithProduct } from './question.ts'
import { indexNewQuestion } from './question-words.ts'
import { viewQuestion } from './view.ts'

export interface NewQuestion {
  authorName?: string
  authorEmail?: string
  body: string
}

interface Asker {
  /** Null for a guest. */
  customerId: string | null
  /** BCP 47. */
  language: string
}

/**
 * Asks a question about a published product and notifies the store by mail, at most 20 times per hour. Staff decide
 * whether it becomes public. A customer gets the answer at the address of the account; a guest must give a name and an
 * address (422). Throws `resource.not_found`.
 */
export async function askQuestion(
  tx: StoreTx,
  store: Store,
  slug: string,
  { customerId, language }: Asker,
  given: NewQuestion,
): Promise<Question> {
  const product = assertFound(await Product.in(tx).findOne({ slug, is_active: true, deleted_at: null }))
  const author = customerId ? await customerAuthor(tx, customerId, given) : guestAuthor(given)
  const createdAt = now()
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
    createdAt,
    updatedAt: createdAt,
  } as const)
  await Question.in(tx).insert(question)
  await indexNewQuestion(tx, question)
  await notifyStore(tx, store, question, product)
  return question
}

type AuthorFields = Pick<Question, 'authorName' | 'authorEmail'>

async function customerAuthor(tx: StoreTx, id: string, { authorName }: NewQuestion): Promise<AuthorFields> {
  const { firstname, email } = await findCustomer(tx, id)
  return { authorName: authorName ?? firstname, authorEmail: email }
}

function guestAuthor({ authorName, authorEmail }: NewQuestion): AuthorFields {
  if (authorName !== undefined && authorEmail !== undefined) return { authorName, authorEmail }
  throw new ValidationError([
    ...(authorName === undefined ? missing(['author_name']).faults : []),
    ...(authorEmail === undefined ? missing(['author_email']).faults : []),
  ])
}

// Anyone can ask, so mails are limited. The store's list has all questions.
const MAX_MAILS_PER_HOUR = 20

async function notifyStore(tx: StoreTx, store: Store, question: Question, product: Product): Promise<void> {
  const { slug: productSlug, nameI18n: productNameI18n } = product
  const withProduct = Object.assign(new QuestionWithProduct(), question, { productSlug, productNameI18n })
  await emit(tx, questionCreated, viewQuestion(withProduct, store))
  await queueNotice(
    tx,
    questionAskedMail,
    { recordId: question.id, email: store.email, language: null },
    {
      product: pickText(productNameI18n, store.defaultLanguage, store.defaultLanguage),
      author: question.authorName,
      question: question.body,
    },
    MAX_MAILS_PER_HOUR,
  )
}
