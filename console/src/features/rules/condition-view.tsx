import { leafWords, shapeOf } from './condition.ts';
import classes from './rule-page.module.css';

/** A condition in words, with its JSON. */
export const ConditionView = ({ when }: { when: unknown }) => (
  <>
    <div className={classes.when}>
      <Node node={when} />
    </div>
    <details className={classes.json}>
      <summary>JSON</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard too. */}
      <pre tabIndex={0}>{JSON.stringify(when, null, 2)}</pre>
    </details>
  </>
);

const HEADS = { all: 'All of', any: 'Any of', not: 'Not' } as const;

function Node({ node }: { node: unknown }) {
  const shape = shapeOf(node);
  if (!shape) return <code>{JSON.stringify(node)}</code>;
  if (shape.kind === 'field') return <span>{leafWords(node)}</span>;
  if (shape.kind === 'velocity') {
    const { where } = shape.leaf.velocity;
    return (
      <div>
        {leafWords(node)}
        {where !== undefined && (
          <>
            <span className={classes.how}>, counting only purchases with</span>
            <ul>
              <li>
                <Node node={where} />
              </li>
            </ul>
          </>
        )}
      </div>
    );
  }
  const children = shape.kind === 'not' ? [shape.child] : shape.children;
  return (
    <div>
      <span className={classes.how}>{HEADS[shape.kind]}</span>
      <ul>
        {children.map((child, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stored condition never changes.
          <li key={index}>
            <Node node={child} />
          </li>
        ))}
      </ul>
    </div>
  );
}
