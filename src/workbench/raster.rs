//! Rasterizes egui's output without a window: for figures in another theme or size than the screen.
//!
//! Triangles are filled by edge functions in fixed point (256 per pixel, top-left rule), so that neighbors leave
//! neither a seam nor a pixel painted twice. egui has already antialiased edges, and glyphs come from its texture.

use std::collections::HashMap;
use std::io;

use egui::epaint::{ClippedPrimitive, Primitive, Vertex};
use egui::{Color32, ColorImage, ImageData, TextureId, TexturesDelta};

/// The textures of a context: its glyphs.
#[derive(Default)]
pub(super) struct Textures(HashMap<TextureId, ColorImage>);

impl Textures {
    pub(super) fn take(&mut self, delta: &mut TexturesDelta) {
        for (id, patch) in delta
            .set
            .drain()
            .flat_map(|(id, patches)| patches.into_iter().map(move |patch| (id, patch)))
        {
            let ImageData::Color(image) = &patch.image;
            match (patch.pos, self.0.get_mut(&id)) {
                (Some([left, top]), Some(whole)) => {
                    let (across, width) = (whole.width(), image.width());
                    for (row, pixels) in image.pixels.chunks(width.max(1)).enumerate() {
                        let from = (top + row) * across + left;
                        whole.pixels[from..from + width].copy_from_slice(pixels);
                    }
                }
                _ => drop(self.0.insert(id, (**image).clone())),
            }
        }
        delta.free.drain().for_each(|id| drop(self.0.remove(&id)));
    }
}

/// An image as PNG, with pixels per inch if it has a size in print.
pub(super) fn png(picture: &ColorImage, dpi: Option<u32>) -> io::Result<Vec<u8>> {
    let [width, height] = picture
        .size
        .map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let bytes: Vec<u8> = picture.pixels.iter().flat_map(Color32::to_array).collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    // PNG uses pixels per meter.
    let per_metre = dpi.map(|dpi| (f64::from(dpi) / 0.0254).round() as u32);
    encoder.set_pixel_dims(per_metre.map(|per_metre| png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));

    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(out)
}

/// Paints over a background, at `scale` pixels per point.
pub(super) fn paint(
    primitives: &[ClippedPrimitive],
    textures: &Textures,
    size: [usize; 2],
    scale: f32,
    background: Color32,
) -> ColorImage {
    let mut picture = ColorImage::filled(size, background);
    for ClippedPrimitive {
        clip_rect,
        primitive,
    } in primitives
    {
        let Primitive::Mesh(mesh) = primitive else {
            continue;
        };
        let Some(texture) = textures.0.get(&mesh.texture_id) else {
            continue;
        };
        let ends = [
            clip_rect.left(),
            clip_rect.top(),
            clip_rect.right(),
            clip_rect.bottom(),
        ];
        let [left, top, right, bottom] = ends.map(|at| (at * scale).round().max(0.0) as i64);
        let clip = [
            left,
            top,
            right.min(size[0] as i64),
            bottom.min(size[1] as i64),
        ];
        for corners in mesh.triangles() {
            fill(
                &mut picture,
                clip,
                corners.map(|index| mesh.vertices[index as usize]),
                texture,
                scale,
            );
        }
    }
    picture
}

fn channels(color: Color32) -> [f32; 4] {
    color.to_array().map(f32::from)
}

/// The weighted sum of three values.
fn mix(values: [[f32; 4]; 3], weights: [f32; 3]) -> [f32; 4] {
    std::array::from_fn(|channel| {
        (0..3)
            .map(|corner| values[corner][channel] * weights[corner])
            .sum()
    })
}

/// The texture at coordinates from 0 to 1, with bilinear interpolation.
fn sample(texture: &ColorImage, [u, v]: [f32; 2]) -> [f32; 4] {
    let [width, height] = texture.size;
    let (x, y) = (u * width as f32 - 0.5, v * height as f32 - 0.5);
    let at = |x: f32, y: f32| {
        let [x, y] = [(x, width), (y, height)]
            .map(|(at, size)| (at.max(0.0) as usize).min(size.saturating_sub(1)));
        channels(texture.pixels[y * width + x])
    };
    let (left, top) = (x.floor(), y.floor());
    let row = |y: f32| {
        let (a, b) = (at(left, y), at(left + 1.0, y));
        std::array::from_fn::<f32, 4, _>(|channel| {
            a[channel] + (b[channel] - a[channel]) * (x - left)
        })
    };
    let (above, below) = (row(top), row(top + 1.0));
    std::array::from_fn(|channel| above[channel] + (below[channel] - above[channel]) * (y - top))
}

fn fill(
    picture: &mut ColorImage,
    clip: [i64; 4],
    mut corners: [Vertex; 3],
    texture: &ColorImage,
    scale: f32,
) {
    const UNIT: f32 = 256.0;
    let fixed =
        |vertex: &Vertex| [vertex.pos.x, vertex.pos.y].map(|at| (at * scale * UNIT).round() as i64);
    let mut at = [fixed(&corners[0]), fixed(&corners[1]), fixed(&corners[2])];
    let area =
        |[a, b, c]: [[i64; 2]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let mut twice = area(at);
    if twice == 0 {
        return;
    }

    if twice < 0 {
        (at[1], at[2], twice) = (at[2], at[1], -twice);
        corners.swap(1, 2);
    }

    let ends = |axis: usize| {
        let [a, b, c] = at.map(|corner| corner[axis]);
        let (low, high) = (a.min(b).min(c) >> 8, (a.max(b).max(c) >> 8) + 1);
        low.max(clip[axis])..high.min(clip[axis + 2])
    };

    // The edge functions A·x + B·y + C; a pixel on an edge belongs to the triangle whose left or upper edge it is.
    let edges: [[i64; 4]; 3] = std::array::from_fn(|corner| {
        let (from, to) = (at[(corner + 1) % 3], at[(corner + 2) % 3]);
        let (a, b) = (from[1] - to[1], to[0] - from[0]);
        let is_first = 0 < a || (a == 0 && 0 < b);
        [a, b, -(a * from[0] + b * from[1]), i64::from(!is_first)]
    });

    let colors = corners.map(|vertex| channels(vertex.color));
    let is_plain = corners.iter().all(|vertex| vertex.uv == corners[0].uv);
    let plain = sample(texture, [corners[0].uv.x, corners[0].uv.y]);
    let width = picture.width();
    for y in ends(1) {
        for x in ends(0) {
            let [px, py] = [x * 256 + 128, y * 256 + 128];
            let inside = edges.map(|[a, b, c, _]| a * px + b * py + c);
            if inside
                .iter()
                .zip(&edges)
                .any(|(value, edge)| *value < edge[3])
            {
                continue;
            }
            let weights = inside.map(|value| value as f32 / twice as f32);
            let ink = if is_plain {
                plain
            } else {
                let place = |number: fn(&Vertex) -> f32| {
                    (0..3)
                        .map(|corner| number(&corners[corner]) * weights[corner])
                        .sum()
                };
                sample(
                    texture,
                    [place(|vertex| vertex.uv.x), place(|vertex| vertex.uv.y)],
                )
            };
            let color = mix(colors, weights);
            let pixel = &mut picture.pixels[y as usize * width + x as usize];
            let below = channels(*pixel);
            let alpha = color[3] * ink[3] / 255.0;
            let [r, g, b, a] = std::array::from_fn(|channel| {
                let over = color[channel] * ink[channel] / 255.0;
                (over + below[channel] * (1.0 - alpha / 255.0) + 0.5).clamp(0.0, 255.0) as u8
            });
            *pixel = Color32::from_rgba_premultiplied(r, g, b, a);
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::epaint::{Mesh, WHITE_UV};
    use egui::{Rect, pos2};

    use super::*;

    fn painted(meshes: Vec<Mesh>) -> ColorImage {
        let textures = Textures(
            [(
                TextureId::default(),
                ColorImage::filled([1, 1], Color32::WHITE),
            )]
            .into(),
        );
        let clip_rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(4.0, 3.0));
        let primitive = |mesh| ClippedPrimitive {
            clip_rect,
            primitive: Primitive::Mesh(mesh),
        };
        let primitives: Vec<ClippedPrimitive> = meshes.into_iter().map(primitive).collect();
        paint(&primitives, &textures, [8, 6], 2.0, Color32::BLACK)
    }

    #[test]
    fn rectangles_that_touch_leave_no_seam_and_cover_no_pixel_twice() {
        let mut mesh = Mesh::default();
        let half = Color32::from_rgba_premultiplied(100, 0, 0, 128);
        for (left, right) in [(0.0, 1.3), (1.3, 2.5)] {
            mesh.add_colored_rect(Rect::from_min_max(pos2(left, 0.0), pos2(right, 2.0)), half);
        }
        assert!(mesh.vertices.iter().all(|vertex| vertex.uv == WHITE_UV));
        let picture = painted(vec![mesh]);
        for (place, pixel) in picture.pixels.iter().enumerate() {
            let is_inside = place % 8 < 5 && place / 8 < 4;
            assert_eq!(
                *pixel,
                if is_inside {
                    Color32::from_rgb(100, 0, 0)
                } else {
                    Color32::BLACK
                },
                "{place}"
            );
        }
    }

    #[test]
    fn a_picture_has_the_pixels_it_was_given_and_its_size_on_paper() {
        let colors = [Color32::RED, Color32::GREEN, Color32::BLUE, Color32::WHITE];
        let picture = ColorImage::new([2, 2], colors.to_vec());
        for (dpi, per_metre) in [(Some(300), Some(11_811)), (None, None)] {
            let bytes = png(&picture, dpi).expect("encoded");
            let read = image::load_from_memory(&bytes)
                .expect("a picture")
                .to_rgba8();
            assert_eq!(
                read.pixels().map(|pixel| pixel.0).collect::<Vec<_>>(),
                colors.map(|color| color.to_array())
            );
            let header = png::Decoder::new(io::Cursor::new(bytes))
                .read_info()
                .expect("a header");
            assert_eq!(header.info().pixel_dims.map(|dims| dims.xppu), per_metre);
        }
    }

    #[test]
    fn what_sticks_out_is_cut() {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(
            Rect::from_min_max(pos2(-9.0, -9.0), pos2(99.0, 99.0)),
            Color32::GREEN,
        );
        assert!(
            painted(vec![mesh])
                .pixels
                .iter()
                .all(|pixel| *pixel == Color32::GREEN)
        );
    }
}
