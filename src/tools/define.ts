import { type } from 'arktype'
import type { InputSpecs, ToolContract, ToolFacts } from './tool.ts'

/** Joins a tool's facts with the schema of its parameters. The schema must accept `{}` and yield the facts' defaults for it. */
export function defineTool<Params, const Inputs extends InputSpecs, Id extends string>(
  facts: ToolFacts<Params, Inputs, Id>,
  schema: () => type.Any,
): ToolContract<Params, Inputs, Id> {
  const paramsSchema = schema()
  return {
    ...facts,
    paramsSchema,
    parseParams(value) {
      const params = paramsSchema(value)
      if (params instanceof type.errors) {
        return {
          ok: false,
          problems: Object.fromEntries(params.map((problem) => [problem.path.join('.') || 'params', problem.message])),
        }
      }
      return { ok: true, params: params as Params }
    },
  }
}
