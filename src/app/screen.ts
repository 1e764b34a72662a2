import { type ComponentType, lazy } from 'react'
import { loadPageTexts } from '#client/i18n.ts'

type PropsOf<Component> = Component extends ComponentType<infer Props> ? Props : never

/**
 * The screen of this name in a module, loaded when it is first asked for, and again when that
 * failed. React finds what was asked for early at once, and shows no spinner in between.
 */
export function screen<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  type Screen = { default: ComponentType<PropsOf<Module[Name]>> }
  let loading: Promise<Screen> | undefined
  const once = () => {
    loading ??= load().then(
      (module) => ({ default: module[name] }) as Screen,
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  return Object.assign(lazy(once), { load: once })
}

/** A screen together with the texts of pages. */
export const page = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  screen(async () => {
    const [module] = await Promise.all([load(), loadPageTexts()])
    return module
  }, name)
