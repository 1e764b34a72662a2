import type { type as Types } from 'arktype'
import { type DescribeRouteOptions, describeRoute, resolver } from 'hono-openapi'
import { type } from '#shared/schema.ts'

const errorBody = type({
  code: type('string').describe('stable error code'),
  msg: type('string').describe('message in the language of Accept-Language'),
  'details?': type({ '[string]': 'string' }).describe('field or parameter paths with their message keys'),
})

const failure = {
  description: 'The error',
  content: { 'application/json': { schema: resolver(errorBody) } },
}

/** Describes a route in /api/openapi.json. */
export function documented(
  summary: string,
  success: DescribeRouteOptions['responses'],
  rest: Omit<DescribeRouteOptions, 'summary' | 'responses'> = {},
) {
  return describeRoute({ ...rest, summary, responses: { ...success, '400': failure, default: failure } })
}

export function respondsWith(
  status: number,
  description: string,
  schema?: Types.Any,
): NonNullable<DescribeRouteOptions['responses']> {
  return {
    [status]: { description, ...(schema && { content: { 'application/json': { schema: resolver(schema) } } }) },
  }
}
