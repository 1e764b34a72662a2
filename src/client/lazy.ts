import { type ComponentType, lazy } from 'react'
import { loadPageTexts } from './i18n.ts'

type PropsOf<Component> = Component extends ComponentType<infer Props> ? Props : never

/**
 * The component of this name in a module, loaded when it is first asked for, and again when that
 * failed. React finds what was asked for early, by `load`, at once, and shows nothing in between.
 */
export function lazyComponent<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  type Loaded = { default: ComponentType<PropsOf<Module[Name]>> }
  let loading: Promise<Loaded> | undefined
  const once = () => {
    loading ??= load().then(
      (module) => ({ default: module[name] }) as Loaded,
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  return Object.assign(lazy(once), { load: once })
}

/** A lazy component together with the texts of pages. */
export const lazyWithTexts = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  lazyComponent(async () => {
    const [module] = await Promise.all([load(), loadPageTexts()])
    return module
  }, name)
