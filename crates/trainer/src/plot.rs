//! Line plots as SVG.

use anyhow::{Context, anyhow};
use plotters::prelude::*;
use std::path::Path;

/// A named curve.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The label in the legend.
    pub name: String,
    /// The points of the curve.
    pub points: Vec<(f64, f64)>,
}

/// Draws curves into an SVG file, with axes from 0, or the least value, to the greatest.
///
/// # Errors
/// If there are no points, or the file cannot be written.
pub fn curves(file: &Path, title: &str, x: &str, y: &str, curves: &[Curve]) -> anyhow::Result<()> {
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    anyhow::ensure!(points().next().is_some(), "nothing to plot");
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0_f64, f64::max);
    let (right, top) = (most(&mut points().map(|p| p.0)), most(&mut points().map(|p| p.1)));
    let left = points().map(|p| p.0).fold(right, f64::min);
    let mut text = String::new();
    let draw = |text| -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(text, (900, 560)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 22))
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(left..right * 1.02, 0.0..top * 1.05)?;
        chart.configure_mesh().x_desc(x).y_desc(y).light_line_style(WHITE).draw()?;
        for (number, curve) in curves.iter().enumerate() {
            let colour = Palette99::pick(number).to_rgba();
            chart
                .draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2)))?
                .label(&curve.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        root.present()?;
        Ok(())
    };
    let cannot = || format!("cannot draw {}", file.display());
    draw(&mut text).map_err(|error| anyhow!("{error}")).with_context(cannot)?;
    wire::file::write(file, text).with_context(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_cannot_be_written_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("curve.svg");
        let one = [Curve { name: "one".to_owned(), points: vec![(1.0, 2.0), (2.0, 1.0)] }];
        curves(&file, "title", "x", "y", &one).unwrap();
        let drawn = std::fs::read_to_string(&file).unwrap();
        assert!(drawn.starts_with("<svg") && drawn.contains("title"));
        let refused = curves(Path::new("/dev/full"), "title", "x", "y", &one).unwrap_err().to_string();
        assert_eq!(refused, "cannot draw /dev/full");
        assert!(curves(&folder.path().join("none/curve.svg"), "title", "x", "y", &one).is_err());
    }
}
