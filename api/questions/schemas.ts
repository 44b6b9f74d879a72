import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { PageQuery } from '#shared/platform/http/query-parameters.ts'
import { Changes, Clearable, Email, Line, Name, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { MAX_PAGE_SIZE } from '#shared/questions/list-approved-questions.ts'
import { QUESTIONS } from '#shared/questions/list-questions.ts'
import { DECISIONS } from '#shared/questions/states.ts'

const MAX_QUESTION = 2_000
const MAX_ANSWER = 5_000

/** The page size is 10 by default, with a lower maximum than in other lists. */
export const ApprovedQuery = Shape({
  page: PageQuery.page,
  page_size: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 10 }),
})

export const CreateQuestionRequest = Shape({
  author_name: Type.Optional({
    ...Name(100),
    description: "Public. Default: a customer's first name",
  }),
  author_email: Type.Optional({
    ...Email,
    description: 'Never public. A customer gets the answer at the address of the account instead',
  }),
  body: { ...Line(MAX_QUESTION), description: 'Plain text' },
})

export const QuestionParams = Shape({ id: Uuid })

export const QuestionsQuery = listQuery(QUESTIONS)

export const UpdateQuestionRequest = Changes({
  status: Type.Enum([...DECISIONS]),
  answer_body: {
    ...Clearable(Line(MAX_ANSWER)),
    description: 'Plain text; empty removes the answer',
  },
})
