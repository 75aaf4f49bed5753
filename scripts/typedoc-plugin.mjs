// For TypeDoc: names the modules as they are imported, and keeps the class of `@throws {Class} when`.
import { Converter, ReflectionKind } from 'typedoc'

const packageName = 'strands-shell-runtime'

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
      module.name = module.name === 'index' ? packageName : `${packageName}/${module.name}`
    }
    for (const { comment } of Object.values(project.reflections)) {
      for (const tag of comment?.getTags('@throws') ?? []) nameClass(tag)
    }
  })
}

function nameClass(tag) {
  const name = tag.typeAnnotation?.replace(/^\{|\}$/g, '')
  if (name === undefined) return
  const [first] = tag.content
  const text = `\`${name}\``
  if (first?.kind === 'text') first.text = `${text} ${first.text.trimStart()}`
  else tag.content.unshift({ kind: 'text', text })
}
