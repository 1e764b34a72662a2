import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { loadPageTexts } from './i18n.ts'

type PropsOf<Component> = Component extends ComponentType<infer Props> ? Props : never

/**
 * The component of this name in a module, loaded when it is first asked for, and again when that
 * failed. React finds what was asked for early, by `load`, at once, and shows nothing in between.
 * Meanwhile `place` stands there; without one it is for what surrounds the component to say.
 */
export function lazyComponent<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  place?: ReactNode,
) {
  type Props = PropsOf<Module[Name]> & object
  let loading: Promise<{ default: ComponentType<Props> }> | undefined
  const once = () => {
    loading ??= load().then(
      (module) => ({ default: module[name] as ComponentType<Props> }),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  const Late: ComponentType<Props> = lazy(once)
  const inPlace = (props: Props) => createElement(Suspense, { fallback: place }, createElement(Late, props))
  return Object.assign(place === undefined ? Late : inPlace, { load: once })
}

export const lazyWithTexts = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  place?: ReactNode,
) =>
  lazyComponent(
    async () => {
      const [module] = await Promise.all([load(), loadPageTexts()])
      return module
    },
    name,
    place,
  )
