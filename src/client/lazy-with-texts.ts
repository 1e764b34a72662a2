import { type ComponentType, lazy } from 'react'
import { loadPageTexts } from './i18n.ts'

/** A component that comes after the first screen, with the texts of pages. */
export const lazyWithTexts = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    const [component] = await Promise.all([load(), loadPageTexts()])
    return { default: component }
  })
