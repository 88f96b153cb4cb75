import type { Child } from 'hono/jsx'
import type { Page } from '../../core/http/cursor.ts'
import type { Project } from '../../identity/index.ts'
import { Card, Notice } from '../components/elements.tsx'
import type { IconName } from '../components/icons.tsx'
import { Pager } from '../components/pager.tsx'
import { Shell } from '../components/shell.tsx'
import type { Result } from '../form.ts'
import { listOf } from '../lists.ts'
import type { PageContext } from '../page-context.ts'
import { EmptyList } from './empty-list.tsx'
import { ProjectFilter } from './project-filter.tsx'
import { MemoryTabs, type ListPath } from './tabs.tsx'

interface MemoryListProps<T> {
  ctx: PageContext
  path: ListPath
  /** What is listed, as the title of the page; its lower case is what a sentence calls it. */
  title: string
  lead: string
  icon: IconName
  projects: readonly Project[]
  projectId: string
  /** null: there is no project to list. */
  found: Result<Page<T>> | null
  /** The field that narrows the list, beside the project. */
  filter: Child
  isFiltered: boolean
  /** What to do where there is nothing at all. */
  whenEmpty: Child
  shown: (entries: readonly T[]) => Child
  /** The words of the pager (default: those of a list that is newest first). */
  pages?: { first: string; further: string }
}

/** A page of the memory of a project: its namespaces, subjects or conversations. */
export const MemoryList = <T,>(props: MemoryListProps<T>) => {
  const { ctx, path, title, projects, projectId, found } = props
  return (
    <Shell ctx={ctx} title={title} current="/portal/memory" lead={props.lead}>
      <MemoryTabs current={path} projectId={projectId} />
      <ProjectFilter path={path} label={title} projects={projects} projectId={projectId}>
        {props.filter}
      </ProjectFilter>
      {found && !found.ok && <Notice tone="danger">{found.error.detail}</Notice>}
      {found?.ok && (
        <>
          <Card>
            {found.value.data.length === 0 ? (
              <EmptyList
                icon={props.icon}
                what={title.toLowerCase()}
                page={found.value}
                url={ctx.url}
                unfiltered={props.isFiltered ? listOf(path, projectId) : null}
              >
                {props.whenEmpty}
              </EmptyList>
            ) : (
              props.shown(found.value.data)
            )}
          </Card>
          <Pager url={ctx.url} next={found.value.next_cursor} {...props.pages} />
        </>
      )}
    </Shell>
  )
}
