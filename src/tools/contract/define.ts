import type { type as Types } from 'arktype'
import { inputSchema, type } from '#shared/schema.ts'
import type { InputSpecs, TaskSpecs, ToolContract, ToolDefinition } from './tool.ts'

const maxProblems = 10

/** Does not repeat the submitted value. */
function asProblem({ path, code }: { path: readonly PropertyKey[]; code: string }): [string, string] {
  const name = path.map(String).join('.').slice(0, 100) || 'params'
  return [name, code === 'required' ? 'form.required' : 'form.invalid']
}

/** The schema must accept `{}` and then yield the definition's defaults. */
export function defineTool<Params, const Inputs extends InputSpecs, Id extends string, Tasks extends TaskSpecs>(
  definition: ToolDefinition<Params, Inputs, Id, Tasks>,
  paramsSchema: Types.Any,
): ToolContract<Params, Inputs, Id, Tasks> {
  let check: Types.Any | undefined
  return {
    ...definition,
    paramsSchema,
    parseParams(value) {
      check ??= inputSchema(paramsSchema)
      const params = check(value)
      if (params instanceof type.errors) {
        return {
          ok: false,
          problems: Object.fromEntries(params.slice(0, maxProblems).map(asProblem)),
        }
      }
      return { ok: true, params: params as Params }
    },
  }
}
