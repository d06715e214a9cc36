import sax from 'sax';

/** The text of each element of an XML response from S3, by element name. Reads as far as the text is well-formed. */
export function readXml(xml: string): Map<string, string> {
  const texts = new Map<string, string>();
  const parser = sax.parser(true);
  parser.onopentag = ({ name }) => texts.set(name, '');
  parser.ontext = (text) => texts.set(parser.tag.name, text);
  try {
    parser.write(xml).close();
  } catch {
    // A proxy's page or a truncated body: returns the elements read so far.
  }
  return texts;
}
